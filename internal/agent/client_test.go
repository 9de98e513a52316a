package agent

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"psync/internal/wire"
)

// A client sends frames to a server, and sorts its answers.
type client struct {
	t       testing.TB
	conn    net.Conn
	served  chan error // what serve returned
	last    uint64     // identifier of the last request
	mu      sync.Mutex // guards what follows
	answers map[uint64]chan wire.Message
	reading int // channels that are read

	dir     string // that a test works in
	welcome *wire.Welcome
}

// connect starts a server with a client that has introduced itself. with may change the server.
func connect(t testing.TB, o Options, with ...func(*server)) *client {
	t.Helper()
	c := connectRaw(t, o, with...)
	c.welcome = must[wire.Welcome](c, &wire.Hello{Major: wire.Major, Name: "test"})
	if c.welcome.Limit == 0 {
		t.Fatalf("Hello is answered by %+v", c.welcome)
	}
	return c
}

func connectRaw(t testing.TB, o Options, with ...func(*server)) *client {
	t.Helper()
	theirs, ours := net.Pipe()
	c := &client{t: t, conn: ours, served: make(chan error, 1), answers: make(map[uint64]chan wire.Message)}
	s := newServer(o)
	for _, f := range with {
		f(s)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		first, err := begin(theirs, o)
		if err == nil {
			err = s.serve(context.WithoutCancel(t.Context()), begun(theirs, first))
		}
		c.served <- err
	}()
	magic := make([]byte, len(wire.Magic))
	if _, err := io.ReadFull(ours, magic); err != nil || !bytes.Equal(magic, wire.Magic[:]) {
		t.Fatalf("the server begins with %q, %v", magic, err)
	}
	c.read(ours)
	t.Cleanup(func() {
		_ = ours.Close()
		<-ended
	})
	return c
}

// read has a goroutine deal with what comes over a channel. The server ends all channels when one ends.
func (c *client) read(channel io.Reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading++
	go func() {
		c.sort(channel)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.reading--; c.reading > 0 {
			return
		}
		for _, q := range c.answers {
			close(q)
		}
		c.answers = nil
	}()
}

// sort sorts the answers that come over a channel until that ends.
func (c *client) sort(channel io.Reader) {
	decompressor := wire.NewCompressor()
	for {
		var head [4]byte
		if _, err := io.ReadFull(channel, head[:]); err != nil {
			return
		}
		frame := make([]byte, binary.BigEndian.Uint32(head[:]))
		if _, err := io.ReadFull(channel, frame); err != nil {
			return
		}
		for _, frame := range unpack(c.t, decompressor, frame) {
			f, err := wire.Decode(frame)
			if err != nil {
				c.t.Errorf("the server sent what is no frame: %v", err)
				return
			}
			if _, ok := f.Message.(*wire.Probe); !ok {
				c.queue(f.ID) <- f.Message
			}
		}
	}
}

// unpack returns the frames that a frame holds compressed, or that itself, all without their lengths.
func unpack(t testing.TB, d *wire.Compressor, frame []byte) (frames [][]byte) {
	if !wire.IsCompressed(frame) {
		return [][]byte{frame}
	}
	b, err := d.Decompress(frame)
	if err != nil {
		t.Errorf("the server sent what is not compressed: %v", err)
		return nil
	}
	for rest := b.Bytes; len(rest) > 0; {
		n := wire.LengthSize + int(binary.BigEndian.Uint32(rest))
		frames, rest = append(frames, rest[wire.LengthSize:n]), rest[n:]
	}
	return frames
}

// queue returns the answers to a request, or nil if there will be no more.
func (c *client) queue(id uint64) chan wire.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.answers[id]
	if q == nil && c.answers != nil {
		q = make(chan wire.Message, 16)
		c.answers[id] = q
	}
	return q
}

// send sends a request, and returns the channel of its answers.
func (c *client) send(m wire.Message) <-chan wire.Message {
	c.t.Helper()
	q, err := c.try(m)
	if err != nil {
		c.t.Fatalf("%T: %v", m, err)
	}
	return q
}

// try is send that fails where the server has ended.
func (c *client) try(m wire.Message) (<-chan wire.Message, error) {
	c.last++
	frame, err := wire.Append(nil, wire.Frame{ID: c.last, Message: m})
	if err != nil {
		c.t.Fatalf("%T: %v", m, err)
	}
	q := c.queue(c.last)
	_, err = c.conn.Write(frame)
	return q, err
}

// ask sends a request, and returns its answer.
func (c *client) ask(m wire.Message) wire.Message {
	c.t.Helper()
	answer, ok := <-c.send(m)
	if !ok {
		c.t.Fatalf("%T is not answered", m)
	}
	return answer
}

// must is ask of which the answer is A.
func must[A any](c *client, m wire.Message) *A {
	c.t.Helper()
	return mustBe[A](c, c.ask(m))
}

func mustBe[A any](c *client, m wire.Message) *A {
	c.t.Helper()
	a, ok := any(m).(*A)
	if !ok {
		c.t.Fatalf("the answer is %T %+v, want %T", m, m, a)
	}
	return a
}

// wantError wants an answer that matches an error.
func (c *client) wantError(what string, m wire.Message, want error) {
	c.t.Helper()
	e, ok := m.(*wire.Error)
	if !ok || !errors.Is(e.Err(), want) {
		c.t.Errorf("%s: the answer is %T %+v, want the error %v", what, m, m, want)
	}
}

// open opens a directory by path as the handle h.
func (c *client) open(h wire.Handle, path string) {
	c.t.Helper()
	must[wire.Opened](c, &wire.OpenPath{New: h, Path: path})
}

// end closes the connection, and returns what the server returned.
func (c *client) end() error {
	_ = c.conn.Close()
	return <-c.served
}

func writeFile(t testing.TB, data string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// wantFiles wants a directory to have entries of these names.
func wantFiles(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the directory has %q, want %q", got, want)
	}
}

func wantContents(t testing.TB, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", filepath.Base(path), got, err, want)
	}
}

func target(h wire.Handle, name string) wire.Target { return wire.Target{Dir: h, Name: name} }

func contents(data string) []wire.Part { return []wire.Part{{Data: []byte(data)}} }

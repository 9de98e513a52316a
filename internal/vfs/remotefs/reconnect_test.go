package remotefs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"psync/internal/agent"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// A cutter is a channel that ends when a number of bytes have been written to it.
type cutter struct {
	net.Conn
	mu   sync.Mutex
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	c.mu.Lock()
	n := min(c.left, len(p))
	c.left -= n
	over := c.left == 0
	c.mu.Unlock()
	n, err := c.Conn.Write(p[:n])
	if over {
		return n, errors.Join(err, io.ErrUnexpectedEOF, c.Close())
	}
	return n, err
}

// A flaky host has servers to which connections break.
type flaky struct {
	mu      sync.Mutex
	random  *rand.Rand
	cuts    int // connections that are still to break
	serving sync.WaitGroup
}

// dial connects to a new server, by a connection that may break after a random number of bytes in either direction.
func (f *flaky) dial(first []byte) (io.ReadWriteCloser, error) {
	near, far := net.Pipe()
	a, b := &cutter{Conn: near, left: 1 << 60}, &cutter{Conn: far, left: 1 << 60}
	f.mu.Lock()
	if f.cuts > 0 {
		f.cuts--
		a.left, b.left = 1000+f.random.IntN(100_000), 1000+f.random.IntN(50_000)
	}
	f.mu.Unlock()
	f.serving.Go(func() { _ = agent.Serve(context.Background(), b, agent.Options{Socket: true, First: first}) })
	var magic [len(wire.Magic)]byte
	_, err := io.ReadFull(near, magic[:])
	return a, err
}

func (f *flaky) redial(_ context.Context, first []byte) (io.ReadWriteCloser, bool, error) {
	c, err := f.dial(first)
	return c, true, err
}

// TestSessionSurvivesCuts writes and reads many files while connections break, all of which must be whole in the end,
// without an error.
func TestSessionSurvivesCuts(t *testing.T) {
	for seed := range uint64(4) {
		f := &flaky{random: rand.New(rand.NewPCG(seed, 3)), cuts: 12}
		losses := 0
		// The first connection must live until the server has introduced itself.
		h, err := Dial(t.Context(), func(first []byte) (io.ReadWriteCloser, error) { return f.dial(first) },
			Options{Number: 1, Host: "box", Redial: f.redial, OnLoss: func() { losses++ }})
		must(t, err)
		dir := t.TempDir()
		d, err := h.Open(dir, vfs.OpenOptions{})
		must(t, err)
		contents := func(i int) string { return strings.Repeat(fmt.Sprintf("file %d\n", i), 1+i*i) }
		const files = 60
		var writing sync.WaitGroup
		for i := range files {
			writing.Go(func() {
				name := fmt.Sprint("f", i)
				w, err := d.OpenFile(name, vfs.CreateAsync, 0o600)
				if err == nil {
					_, err = w.WriteAt([]byte(contents(i)), 0)
				}
				if err == nil {
					_, err = w.Commit(nil, false)
				}
				if err == nil {
					err = vfs.Mkdir(d, fmt.Sprint("d", i), 0o700) // which must not be done twice
				}
				if err != nil {
					t.Errorf("seed %d: %s: %v", seed, name, err)
					return
				}
				r, err := d.OpenFile(name, vfs.ReadOnly, 0)
				must(t, err)
				got := make([]byte, len(contents(i))+1)
				n, err := r.ReadAt(got, 0)
				if err != io.EOF || !bytes.Equal(got[:n], []byte(contents(i))) {
					t.Errorf("seed %d: %s: read %d bytes, %v", seed, name, n, err)
				}
				must(t, r.Close())
			})
		}
		writing.Wait()
		must(t, d.Close())
		must(t, h.Close())
		f.serving.Wait()
		if losses == 0 {
			t.Errorf("seed %d: no connection was lost", seed)
		}
		for i := range files {
			if got, err := os.ReadFile(filepath.Join(dir, fmt.Sprint("f", i))); err != nil || string(got) != contents(i) {
				t.Errorf("seed %d: f%d has %d bytes, %v", seed, i, len(got), err)
			}
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 2*files {
			t.Errorf("seed %d: %d entries, %v", seed, len(names), err)
		}
	}
}

// TestServerIsGone reconnects to a host whose server has ended.
func TestServerIsGone(t *testing.T) {
	f := &flaky{cuts: 1, random: rand.New(rand.NewPCG(1, 1))}
	h, err := Dial(t.Context(), f.dial, Options{Host: "box", Redial: func(_ context.Context, first []byte) (io.ReadWriteCloser, bool, error) {
		fr, err := wire.Decode(first[wire.LengthSize:])
		must(t, err)
		m := fr.Message.(*wire.Resume)
		m.Session = "psync-0"
		first, err = wire.Append(nil, wire.Frame{Message: m})
		must(t, err)
		return f.redial(t.Context(), first)
	}})
	must(t, err)
	for err == nil {
		_, err = h.Account(vfs.Account{})
	}
	if !strings.Contains(err.Error(), "has ended") {
		t.Error(err)
	}
	_ = h.Close()
}

// TestConnectionsThatBreakAtOnce reconnects to a server each time, over connections on which nothing arrives.
func TestConnectionsThatBreakAtOnce(t *testing.T) {
	f := &flaky{cuts: 1, random: rand.New(rand.NewPCG(1, 1))}
	resumed, err := wire.Append(nil, wire.Frame{Message: &wire.Resumed{}})
	must(t, err)
	attempts := 0
	h, err := Dial(t.Context(), f.dial, Options{Host: "box", Redial: func(context.Context, []byte) (io.ReadWriteCloser, bool, error) {
		attempts++
		near, far := net.Pipe()
		go func() {
			_, _ = far.Write(resumed)
			_ = far.Close()
		}()
		return near, true, nil
	}})
	must(t, err)
	for err == nil {
		_, err = h.Account(vfs.Account{})
	}
	if !strings.Contains(err.Error(), "before anything came") {
		t.Error(err)
	}
	_ = h.Close()
	if attempts == 0 || attempts > 31 {
		t.Errorf("%d attempts", attempts)
	}
}

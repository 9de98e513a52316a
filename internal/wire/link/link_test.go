package link_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A collector holds the frames that a link has received.
type collector struct {
	frames chan wire.Frame
}

func newCollector(n int) *collector { return &collector{make(chan wire.Frame, n)} }

func (c *collector) receive(f wire.Frame) error {
	c.frames <- f
	return nil
}

func ignore(wire.Frame) error { return nil }

// pair returns two links that are connected by channels.
func pair(t testing.TB, a, b link.Options, channels int) (one, other *link.Link) {
	t.Helper()
	one, other = link.New(a), link.New(b)
	for range channels {
		x, y := net.Pipe()
		one.Add(x)
		other.Add(y)
	}
	t.Cleanup(func() {
		_ = one.Close()
		_ = other.Close()
	})
	return one, other
}

func put(id uint64, size int) wire.Frame {
	data := bytes.Repeat([]byte{byte(id)}, size)
	return wire.Frame{ID: id, Message: &wire.Put{Name: "f", Parts: []wire.Part{{Data: data}}}}
}

// check returns the ID of a frame that put made.
func check(t *testing.T, f wire.Frame, size int) uint64 {
	t.Helper()
	p, ok := f.Message.(*wire.Put)
	if !ok || len(p.Parts) != 1 || !bytes.Equal(p.Parts[0].Data, bytes.Repeat([]byte{byte(f.ID)}, size)) {
		t.Errorf("frame %d: %T has other data", f.ID, f.Message)
	}
	return f.ID
}

func TestOneChannelKeepsTheOrder(t *testing.T) {
	got := newCollector(1000)
	one, _ := pair(t, link.Options{Receive: ignore}, link.Options{Receive: got.receive}, 1)
	for id := range uint64(1000) {
		if err := one.Send(put(id, int(id)*7)); err != nil {
			t.Fatal(err)
		}
	}
	for id := range uint64(1000) {
		if got := check(t, <-got.frames, int(id)*7); got != id {
			t.Fatalf("frame %d, want %d", got, id)
		}
	}
}

// A counter counts the writes to a connection.
type counter struct {
	net.Conn
	writes atomic.Int64
}

func (c *counter) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

func TestSendLaterWaitsForOthers(t *testing.T) {
	got := newCollector(100)
	one, other := link.New(link.Options{Receive: ignore}), link.New(link.Options{Receive: got.receive})
	x, y := net.Pipe()
	c := &counter{Conn: x}
	one.Add(c)
	other.Add(y)
	for id := range uint64(100) {
		send := one.SendLater
		if id == 99 {
			send = one.Send
		}
		if err := send(put(id, 10)); err != nil {
			t.Fatal(err)
		}
		if n := c.writes.Load(); id < 99 && n > 0 {
			t.Fatalf("%d writes after frame %d", n, id)
		}
	}
	for id := range uint64(100) {
		if got := check(t, <-got.frames, 10); got != id {
			t.Fatalf("frame %d, want %d", got, id)
		}
	}
	if n := c.writes.Load(); n != 1 {
		t.Errorf("%d writes, want 1", n)
	}
	for _, end := range []func() error{func() error { one.Flush(); return nil }, one.Close} {
		if err := one.SendLater(put(7, 10)); err != nil {
			t.Fatal(err)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		check(t, <-got.frames, 10)
	}
	_ = other.Close()
}

// TestManyChannels answers each frame of many senders on eight channels, which are added one by one, in random
// order.
func TestManyChannels(t *testing.T) {
	const senders, each = 16, 200
	var server *link.Link
	answer := func(f wire.Frame) error { return server.Send(f) }
	server = link.New(link.Options{Receive: answer})
	got := newCollector(senders * each)
	client := link.New(link.Options{Receive: got.receive})
	var ends [8]struct{ x, y net.Conn }
	for i := range ends {
		ends[i].x, ends[i].y = net.Pipe()
	}
	var wg sync.WaitGroup
	for s := range uint64(senders) {
		wg.Go(func() {
			for i := range uint64(each) {
				if err := client.Send(put(s*each+i, 4096)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, i := range rand.Perm(len(ends)) {
		client.Add(ends[i].x)
	}
	for _, i := range rand.Perm(len(ends)) {
		server.Add(ends[i].y)
	}
	wg.Wait()
	seen := make(map[uint64]bool)
	for range senders * each {
		seen[check(t, <-got.frames, 4096)] = true
	}
	if len(seen) != senders*each {
		t.Errorf("%d different frames, want %d", len(seen), senders*each)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	<-server.Done()
	if err := server.Err(); !errors.Is(err, io.EOF) {
		t.Errorf("the server ended with %v, want %v", err, io.EOF)
	}
}

func TestFramesOfAnySize(t *testing.T) {
	got := newCollector(8)
	one, _ := pair(t, link.Options{Receive: ignore}, link.Options{Receive: got.receive}, 1)
	sizes := []int{0, 1, 64 << 10, 128<<10 - 20, 128 << 10, wire.MaxData, 5}
	for i, size := range sizes {
		if err := one.Send(put(uint64(i), size)); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range sizes {
		check(t, <-got.frames, size)
	}
}

func TestAFrameBeyondLimitsIsNotSent(t *testing.T) {
	got := newCollector(1)
	one, _ := pair(t, link.Options{Receive: ignore}, link.Options{Receive: got.receive}, 1)
	if err := one.Send(put(1, wire.MaxData+1)); err == nil || one.Err() != nil {
		t.Fatalf("error %v, link ended by %v", err, one.Err())
	}
	if err := one.Send(wire.Frame{ID: 1, Message: &wire.Mkdir{Name: ".."}}); err == nil || one.Err() != nil {
		t.Fatalf("error %v, link ended by %v", err, one.Err())
	}
	if err := one.Send(put(2, 1)); err != nil {
		t.Fatal(err)
	}
	if id := check(t, <-got.frames, 1); id != 2 {
		t.Errorf("frame %d", id)
	}
}

// TestCloseFlushes closes with frames in the queue, which are not read at first.
func TestCloseFlushes(t *testing.T) {
	x, y := net.Pipe()
	one := link.New(link.Options{Receive: ignore})
	one.Add(x)
	for id := range uint64(10) {
		if err := one.Send(put(id, 4096)); err != nil {
			t.Fatal(err)
		}
	}
	closed := make(chan error)
	go func() { closed <- one.Close() }()
	got := newCollector(10)
	other := link.New(link.Options{Receive: got.receive})
	other.Add(y)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	<-other.Done()
	if err := other.Err(); !errors.Is(err, io.EOF) || len(got.frames) != 10 {
		t.Errorf("%d frames, then %v", len(got.frames), err)
	}
	if err := one.Err(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := one.Send(put(1, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Send after Close: %v", err)
	}
}

func TestWhatEndsALink(t *testing.T) {
	refused := errors.New("refused")
	frame, err := wire.Append(nil, put(1, 100))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		arrives []byte
		want    error // nil: any but io.EOF
	}{
		{"the end between frames", nil, io.EOF},
		{"the end in a length", frame[:3], io.ErrUnexpectedEOF},
		{"the end after a length", frame[:4], io.ErrUnexpectedEOF},
		{"the end in a frame", frame[:50], io.ErrUnexpectedEOF},
		{"a length out of range", []byte{1, 0, 0, 0, 0}, nil},
		{"a malformed frame", []byte{0, 0, 0, 2, 0x7f, 1}, nil},
		{"Receive", frame, refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, y := net.Pipe()
			l := link.New(link.Options{Receive: func(wire.Frame) error { return refused }})
			l.Add(x)
			_, _ = y.Write(tt.arrives) // the link may have ended before it has read all
			_ = y.Close()
			<-l.Done()
			if err := l.Err(); tt.want != nil && !errors.Is(err, tt.want) || err == nil || tt.want == nil && errors.Is(err, io.EOF) {
				t.Errorf("ended with %v, want %v", err, tt.want)
			}
			if err := l.Send(put(1, 1)); err != l.Err() {
				t.Errorf("Send returns %v, want %v", err, l.Err())
			}
			if err := l.Close(); err != l.Err() {
				t.Errorf("Close returns %v, want %v", err, l.Err())
			}
		})
	}
}

// TestSendWaits fills the queue, which is not read; then the link ends.
func TestSendWaits(t *testing.T) {
	x, y := net.Pipe()
	l := link.New(link.Options{Receive: ignore, Compress: wire.CompressNever})
	l.Add(x)
	sent := make(chan error)
	go func() {
		for {
			if err := l.Send(put(1, 64<<10)); err != nil {
				sent <- err
				return
			}
		}
	}()
	_, _ = io.CopyN(io.Discard, y, 4<<20)
	_ = y.Close()
	if err := <-sent; err == nil || err != l.Err() {
		t.Errorf("Send returns %v, the link ended with %v", err, l.Err())
	}
}

func TestAChannelAddedTooLateIsClosed(t *testing.T) {
	l := link.New(link.Options{Receive: ignore})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	x, y := net.Pipe()
	l.Add(x)
	if _, err := y.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the channel: %v", err)
	}
}

// An unwritable channel was closed by the other side. As with channels of ssh, writing to it fails with io.EOF; reading
// from it blocks.
type unwritable struct{ net.Conn }

func (unwritable) Write([]byte) (int, error) { return 0, io.EOF }

func TestWhatIsLostIsNoEnd(t *testing.T) {
	x, _ := net.Pipe()
	l := link.New(link.Options{Receive: ignore})
	l.Add(unwritable{x})
	if err := l.Send(put(1, 1)); err != nil {
		t.Fatal(err)
	}
	<-l.Done()
	if err := l.Err(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("ended with %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

// TestOneChannelEndsAll closes one of three channels, in the middle of nothing.
func TestOneChannelEndsAll(t *testing.T) {
	l := link.New(link.Options{Receive: ignore})
	var far [3]net.Conn
	for i := range far {
		var x net.Conn
		x, far[i] = net.Pipe()
		l.Add(x)
	}
	_ = far[1].Close()
	<-l.Done()
	for _, y := range far {
		if _, err := y.Read(make([]byte, 1)); err == nil {
			t.Error("a channel is still open")
		}
	}
}

// TestWithContext wants a context to end with the link, with its parent, and by cancel, and leave nothing running.
func TestWithContext(t *testing.T) {
	for _, end := range []func(l *link.Link, cancelParent, cancel func()){
		func(l *link.Link, _, _ func()) { l.Fail(io.EOF) },
		func(_ *link.Link, cancelParent, _ func()) { cancelParent() },
		func(_ *link.Link, _, cancel func()) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			l := link.New(link.Options{Receive: ignore})
			parent, cancelParent := context.WithCancel(t.Context())
			defer cancelParent()
			ctx, cancel := l.WithContext(parent)
			defer cancel()
			synctest.Wait()
			if ctx.Err() != nil {
				t.Error("the context has ended before")
			}
			end(l, cancelParent, cancel)
			<-ctx.Done()
		})
	}
}

// TestCloseEndsTheOtherSide closes one of two links, of several channels.
func TestCloseEndsTheOtherSide(t *testing.T) {
	for range 20 {
		one, other := pair(t, link.Options{Receive: ignore}, link.Options{Receive: ignore}, 3)
		if err := one.Close(); err != nil {
			t.Error(err)
		}
		<-other.Done()
		if err := other.Err(); !errors.Is(err, io.EOF) {
			t.Errorf("the other side ended with %v", err)
		}
	}
}

// TestAckOfWhatWasNotSent says that a frame has arrived.
func TestAckOfWhatWasNotSent(t *testing.T) {
	x, y := net.Pipe()
	l := link.New(link.Options{Receive: ignore})
	l.Add(x)
	frame, err := wire.Append(nil, wire.Frame{Message: &wire.Ack{Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := y.Write(frame); err != nil {
		t.Fatal(err)
	}
	<-l.Done()
	if _, wrong := errors.AsType[*link.PeerError](l.Err()); !wrong {
		t.Errorf("ended with %v", l.Err())
	}
}

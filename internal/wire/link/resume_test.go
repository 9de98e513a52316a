package link_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"weak"

	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A cutter is a channel that breaks when a number of bytes have been written to it: it then writes a part of what it is
// given, or all of it, and closes.
type cutter struct {
	net.Conn
	mu   sync.Mutex
	left int
}

func (c *cutter) Write(p []byte) (int, error) {
	c.mu.Lock()
	left := min(c.left, len(p))
	c.left -= left
	broken := c.left == 0
	c.mu.Unlock()
	n, err := c.Conn.Write(p[:left])
	if broken {
		_ = c.Conn.Close()
		return n, errors.Join(err, io.ErrClosedPipe)
	}
	return n, err
}

// A side is one of two links that are connected again whenever their channels break.
type side struct {
	*link.Link
	suspended chan struct{}
	got       map[uint64]int
	mu        sync.Mutex
	all       chan struct{} // closed when each of want frames has come once
	want      int
}

func newSide(want int) *side {
	s := &side{suspended: make(chan struct{}, 1000), got: make(map[uint64]int), all: make(chan struct{}), want: want}
	s.Link = link.New(link.Options{Receive: s.receive, Resumable: true, Suspended: func(error) { s.suspended <- struct{}{} }})
	return s
}

func (s *side) receive(f wire.Frame) error {
	defer f.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got[f.ID]++
	if s.got[f.ID] == 1 && len(s.got) == s.want {
		close(s.all)
	}
	return nil
}

// connect returns the ends of a channel that breaks after a random number of bytes in one direction or the other.
func connect(r *rand.Rand) (x, y io.ReadWriteCloser) {
	a, b := net.Pipe()
	left := func() int { return 1 + r.IntN(1<<uint(8+r.IntN(12))) }
	return &cutter{Conn: a, left: left()}, &cutter{Conn: b, left: left()}
}

// TestFramesArriveOnceWhateverBreaks breaks channels at random bytes, and has the links resumed over others, until all
// frames have arrived.
func TestFramesArriveOnceWhateverBreaks(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		const frames = 200
		one, other := newSide(frames), newSide(frames)
		number := uint32(0)
		widen := func() {
			for range r.IntN(3) {
				x, y := connect(r)
				one.Add(number, x)
				other.Add(number, y)
				number++
			}
		}
		x, y := connect(r)
		one.Add(number, x)
		other.Add(number, y)
		number++
		one.Establish()
		other.Establish()
		widen()

		var sending sync.WaitGroup
		for _, s := range []*side{one, other} {
			sizes := make([]int, frames)
			for i := range sizes {
				sizes[i] = r.IntN(1 << uint(1+r.IntN(15)))
			}
			sending.Go(func() {
				for i, n := range sizes {
					if err := s.Send(put(uint64(i), n)); err != nil {
						t.Errorf("seed %d: Send = %v", seed, err)
					}
				}
			})
		}
		for done := 0; done < 2; {
			select {
			case <-one.suspended:
			case <-other.suspended:
			case <-one.all:
				one.all = nil
				done++
				continue
			case <-other.all:
				other.all = nil
				done++
				continue
			}
			for arrived := one.Suspend(); ; arrived = one.Suspend() {
				there := other.Suspend()
				x, y := connect(r)
				number++
				if err := other.Resume(number, y, arrived); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if r.IntN(4) == 0 {
					_ = x.Close() // before the other side resumes
					continue
				}
				if err := one.Resume(number, x, there); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				number++
				break
			}
			widen()
		}
		sending.Wait()
		for name, s := range map[string]*side{"one": one, "other": other} {
			s.mu.Lock()
			for id, n := range s.got {
				if n != 1 {
					t.Errorf("seed %d: frame %d arrived at %s %d times", seed, id, name, n)
				}
			}
			s.mu.Unlock()
		}
		one.Fail(io.EOF)
		other.Fail(io.EOF)
	}
}

func TestResumeRefusesWhatCannotBe(t *testing.T) {
	for name, received := range map[string][]wire.Received{
		"more than was sent":   {{Channel: 0, Frames: 2}},
		"of no channel":        {{Channel: 7, Frames: 1}},
		"far more":             {{Channel: 0, Frames: 1 << 63}},
		"twice, more the last": {{Channel: 0, Frames: 1}, {Channel: 0, Frames: 2}},
	} {
		a, b := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, b) }()
		l := link.New(link.Options{Receive: ignore, Resumable: true})
		l.Add(0, a)
		if err := l.Send(put(1, 10)); err != nil {
			t.Fatal(err)
		}
		l.Suspend()
		c, d := net.Pipe()
		if err := l.Resume(1, c, received); err == nil || !errors.Is(l.Err(), err) {
			t.Errorf("%s: Resume = %v, and the link has ended with %v", name, err, l.Err())
		}
		for _, c := range []net.Conn{b, d} {
			_ = c.Close()
		}
	}
}

// TestLostChannelsAreFreed loses a channel, which may hold much memory, such as bytes that were never read.
func TestLostChannelsAreFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := link.New(link.Options{Receive: ignore, Resumable: true})
		x, y := net.Pipe()
		c := &cutter{Conn: x}
		lost := weak.Make(c)
		l.Add(0, c)
		l.Suspend()
		synctest.Wait()
		c = nil
		runtime.GC()
		if lost.Value() != nil {
			t.Error("the channel is still in memory")
		}
		l.Fail(io.EOF)
		_ = y.Close()
	})
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

// TestCloseIsNoLoss closes one of two links that are resumable: the other one ends.
func TestCloseIsNoLoss(t *testing.T) {
	for range 20 {
		one, other := newSide(0), newSide(0)
		for i := range uint32(3) {
			x, y := net.Pipe()
			one.Add(i, x)
			other.Add(i, y)
		}
		if err := one.Close(); err != nil {
			t.Error(err)
		}
		<-other.Done()
		if err := other.Err(); err != io.EOF || len(other.suspended) > 0 {
			t.Errorf("the other side ended with %v, and was suspended %d times", err, len(other.suspended))
		}
	}
}

// TestWhatHasArrivedIsForgotten sends much more than a link may retain.
func TestWhatHasArrivedIsForgotten(t *testing.T) {
	const frames, size = 2000, 40 << 10
	one, other := newSide(1), newSide(frames)
	x, y := net.Pipe()
	one.Add(0, x)
	other.Add(0, y)
	for i := range frames {
		if err := one.Send(put(uint64(i), size)); err != nil {
			t.Fatal(err)
		}
	}
	<-other.all
	if err := other.Send(put(0, 1)); err != nil { // it arrives after what acknowledges the others
		t.Fatal(err)
	}
	<-one.all
	if n := link.Retained(one.Link); n > 4<<20 {
		t.Errorf("%d bytes are retained of %d", n, frames*size)
	}
	one.Fail(io.EOF)
	other.Fail(io.EOF)
}

// acknowledge says that so many frames have arrived over channel 0, which c is.
func acknowledge(t *testing.T, c net.Conn, frames uint64) {
	t.Helper()
	frame, err := wire.Append(nil, wire.Frame{Message: &wire.Ack{Received: wire.Received{Frames: frames}}})
	if err == nil {
		_, err = c.Write(frame)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestAckOfWhatWasNotSent says that a frame has arrived.
func TestAckOfWhatWasNotSent(t *testing.T) {
	one := newSide(0)
	x, y := net.Pipe()
	one.Add(0, x)
	acknowledge(t, y, 1)
	<-one.Done()
	if err := one.Err(); !errors.As(err, new(*link.PeerError)) {
		t.Errorf("the link has ended with %v", err)
	}
}

// TestUnacknowledgedFramesAreNotRetainedForever sends to a side that reads everything and first says nothing, then what
// has arrived. The link goes on, until its channel is lost.
func TestUnacknowledgedFramesAreNotRetainedForever(t *testing.T) {
	const frames, size, most = 4000, 40 << 10, 49 << 20
	one := newSide(0)
	x, y := net.Pipe()
	one.Add(0, x)
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, y) // until it is closed
	}()
	say := func(arrived uint64) { acknowledge(t, y, arrived) }
	say(0) // the link is established
	for i := range frames {
		if err := one.Send(put(uint64(i), size)); err != nil {
			t.Fatal(err)
		}
		if n := link.Retained(one.Link); n > most {
			t.Fatalf("%d bytes are retained", n)
		}
	}
	say(frames / 2)
	if err := one.Send(put(frames, size)); err != nil {
		t.Error(err)
	}
	if n := link.Retained(one.Link); n != 0 {
		t.Errorf("%d bytes are retained", n)
	}
	_ = y.Close()
	<-one.Done()
	<-read
}

// TestSendWaitsWhileThereIsNoChannel fills the queue of a link that is suspended.
func TestSendWaitsWhileThereIsNoChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := link.New(link.Options{Receive: ignore, Resumable: true})
		sent := 0
		go func() {
			for l.Send(put(1, 1<<18)) == nil {
				sent++
			}
		}()
		synctest.Wait()
		if sent == 0 || sent > 8 {
			t.Errorf("%d frames of 256 KiB were sent without a channel", sent)
		}
		l.Fail(io.EOF)
		synctest.Wait()
	})
}

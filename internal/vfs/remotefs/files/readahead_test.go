package files

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
	"psync/internal/wire/link"
)

// bytesAt returns n bytes at off of a file in which each group of eight holds its offset.
func bytesAt(off int64, n int) []byte {
	var data []byte
	for at := off / 8 * 8; at < off+int64(n); at += 8 {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
	}
	return data[off%8:][:n]
}

// openScripted opens a file of a server that follows a script, for reading in order.
func openScripted(t *testing.T, answer func(wire.Message) wire.Message) (*Client, vfs.File) {
	t.Helper()
	near, far := net.Pipe()
	var l *link.Link
	l = link.New(link.Options{Receive: func(f wire.Frame) error {
		m := answer(f.Message)
		if _, ok := f.Message.(*wire.Hello); ok {
			m = &wire.Welcome{Hello: wire.Hello{Major: wire.Major}}
		}
		if f.ID == 0 || m == nil {
			return nil
		}
		return l.Send(wire.Frame{ID: f.ID, Message: m})
	}})
	l.Add(far)
	var c Client
	_, err := session.Dial(t.Context(), func(first []byte) (io.ReadWriteCloser, error) {
		_, err := near.Write(first)
		return near, err
	}, session.Options{Host: "box"}, func(s *session.Session) { c.Session = s })
	must(t, err)
	t.Cleanup(func() {
		_ = c.Close()
		<-l.Done()
	})
	in := session.Opened(c.Session, c.NewHandle())
	f, err := Open(Base{Client: &c, Handle: in, Caps: func() vfs.Caps { return 0 }, Touch: func(string) {}}, "f", vfs.NoFollow)
	must(t, err)
	must(t, f.Advise(vfs.Sequential))
	return &c, f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openOfOffsets opens a file of so many bytes. asked counts the requests for each byte at the start of which one begins,
// and read the bytes that were asked for.
func openOfOffsets(t *testing.T, size int64) (c *Client, f vfs.File, asked map[int64]int, read *atomic.Int64) {
	t.Helper()
	var mu sync.Mutex
	asked, read = make(map[int64]int), new(atomic.Int64)
	c, f = openScripted(t, func(m wire.Message) wire.Message {
		switch m := m.(type) {
		case *wire.Get:
			return &wire.Got{Attr: vfs.Attr{Size: size}}
		case *wire.Read:
			mu.Lock()
			defer mu.Unlock()
			asked[m.Off]++
			read.Add(int64(m.N))
			return &wire.Data{Data: bytesAt(m.Off, int(m.N))}
		}
		return nil
	})
	return c, f, asked, read
}

// TestReadAheadOfSeveralReaders has each of three read ranges of a file in steps of its own, and finds nothing that
// was asked for twice.
func TestReadAheadOfSeveralReaders(t *testing.T) {
	const size, step = 100*piece + 77, 10 * piece
	c, f, asked, read := openOfOffsets(t, size)
	ranges := make(chan int64, size/step+1)
	for off := int64(0); off < size; off += step {
		ranges <- off
	}
	close(ranges)
	var readers sync.WaitGroup
	for _, n := range []int{piece / 2, 4 * piece, 100_000} {
		readers.Go(func() {
			for off := range ranges {
				for end := min(off+step, size); off < end; {
					p := make([]byte, min(int64(n), end-off))
					if m, err := f.ReadAt(p, off); m != len(p) || err != nil || !bytes.Equal(p, bytesAt(off, len(p))) {
						t.Errorf("%d bytes at %d: %d, %v, or other bytes", len(p), off, m, err)
					}
					off += int64(len(p))
				}
			}
		})
	}
	readers.Wait()
	for off, n := range asked {
		if n > 1 {
			t.Errorf("what lies at %d was asked for %d times", off, n)
		}
	}
	if n := read.Load(); n != size {
		t.Errorf("%d bytes were asked for, of %d", n, size)
	}
	if n := c.unread.Load(); n != 0 {
		t.Errorf("%d bytes unread", n)
	}
	must(t, f.Close())
}

// TestReadAheadOfJumps reads one byte of many places, and the same once more.
func TestReadAheadOfJumps(t *testing.T) {
	const size = 1000 * piece
	c, f, _, read := openOfOffsets(t, size)
	for range 2 {
		for off := int64(0); off < size; off += 20 * piece {
			p := make([]byte, 1)
			if _, err := f.ReadAt(p, off); err != nil || p[0] != bytesAt(off, 1)[0] {
				t.Fatalf("at %d: %d, %v", off, p[0], err)
			}
		}
	}
	if n, m := c.unread.Load(), read.Load(); n > maxUnread || m > 50*6*piece {
		t.Errorf("%d bytes unread, %d asked for", n, m)
	}
	must(t, f.Close())
	if n := c.unread.Load(); n != 0 {
		t.Errorf("%d bytes unread after all", n)
	}
}

// TestHandleOfReadAhead checks that a file stays open while requests name it.
func TestHandleOfReadAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Int64
		c, f := openScripted(t, func(m wire.Message) wire.Message {
			switch m := m.(type) {
			case *wire.Get:
				return &wire.Got{Attr: vfs.Attr{Size: 10 * piece}}
			case *wire.Close:
				closed.Add(1)
			case *wire.Read:
				if m.Off < 2*piece {
					return &wire.Data{Data: make([]byte, m.N)}
				}
			}
			return nil
		})
		for i := range int64(2) {
			_, err := f.ReadAt(make([]byte, piece), i*piece)
			must(t, err)
		}
		if c.unread.Load() == 0 {
			t.Error("nothing is read ahead")
		}
		must(t, f.Close())
		synctest.Wait()
		if n := c.unread.Load(); n != 0 {
			t.Errorf("%d bytes unread", n)
		}
		if n := closed.Load(); n != 0 {
			t.Errorf("%d handles are closed", n)
		}
		must(t, c.Close())
		synctest.Wait()
	})
}

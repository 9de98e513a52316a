package files

import (
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/wire"
)

const (
	// maxReadAhead is how many pieces are requested ahead for each range of a file that is read in order.
	maxReadAhead = (8 << 20) / piece
	// maxStreams is how many such ranges of a file are tracked.
	maxStreams = 16
	// maxUnread is how many bytes of all files may be requested ahead and not read yet.
	maxUnread = 64 << 20
)

// A readAhead requests pieces of a file before they are read. It supports several concurrent readers, each of which
// reads its own range in order and in steps of any length. No piece is requested twice.
type readAhead struct {
	s     *Client
	size  int64        // of the file
	users atomic.Int64 // pending requests, plus one until close

	mu      sync.Mutex       // guards what follows
	fetches map[int64]*fetch // by number of the piece: requests for pieces that are not completely read
	asked   map[int64]uint64 // the set of pieces that were requested: piece i is bit i%64 of asked[i/64]
	streams []*stream        // the most recently read one comes last
}

// A stream is a range that is read in order.
type stream struct {
	next  int64 // the next piece to request
	depth int64 // how many pieces to request ahead
	ahead int64 // pieces that were requested ahead and are not read
}

// A fetch is a request to read a piece.
type fetch struct {
	stream  *stream
	ahead   bool // it was requested ahead
	n, left int  // length in bytes, and how many of them no reader has claimed
	copied  atomic.Int64
	done    chan struct{}
	frame   wire.Frame // the frame that holds data
	data    *wire.Data
	err     error
}

// open is called when the file has been opened.
func (a *readAhead) open(s *Client, size int64) {
	a.s, a.size = s, size
	a.users.Store(1)
}

// close forgets all requests, and ends the use of the file by the caller. The file is open as h, or not open if h is 0.
func (a *readAhead) close(h wire.Handle) {
	a.mu.Lock()
	a.dropLocked(nil)
	a.mu.Unlock()
	a.release(h)
}

// release ends a use of the file, and closes it after the last one.
func (a *readAhead) release(h wire.Handle) {
	if a.users.Add(-1) == 0 && h != 0 {
		a.s.CloseHandle(h)
	}
}

// read fills p from pieces, and requests those that were not requested yet. It returns false if that is impossible: p
// lies partly beyond the end of the file, or was read before, or a request failed.
func (a *readAhead) read(h wire.Handle, p []byte, off int64) bool {
	if len(p) == 0 || off < 0 || int64(len(p)) > a.size-off {
		return false
	}
	mine, ok := a.claim(h, off, off+int64(len(p)))
	if !ok {
		return false
	}
	for i, f := range mine {
		<-f.done
		if f.err != nil || len(f.data.Data) != f.n {
			return false // reading again returns the error
		}
		start := (off/piece + int64(i)) * piece
		n := copy(p, f.data.Data[max(0, off-start):])
		if p = p[n:]; f.copied.Add(int64(n)) == int64(f.n) {
			f.frame.Release()
		}
	}
	return true
}

// claim returns the requests for the bytes between off and end, which only the caller may read.
func (a *readAhead) claim(h wire.Handle, off, end int64) ([]*fetch, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	first, last := off/piece, (end-1)/piece
	for i := first; i <= last; i++ {
		if a.fetches[i] == nil && a.askedLocked(i) {
			return nil, false
		}
	}
	var mine []*fetch
	for i := first; i <= last; i++ {
		f := a.fetches[i]
		if f == nil {
			f = a.askLocked(h, i, a.streamLocked(i), false)
		}
		mine = append(mine, f)
	}
	s := mine[len(mine)-1].stream
	s.depth = min(2*max(s.depth, int64(len(mine))), maxReadAhead)
	for i, f := range mine {
		start := (first + int64(i)) * piece
		if f.left -= int(min(end, start+piece) - max(off, start)); f.left <= 0 {
			delete(a.fetches, first+int64(i))
			f.forget(a.s)
		}
	}
	a.extendLocked(h, s)
	return mine, true
}

// streamLocked returns the stream that continues with piece i, or a new one.
func (a *readAhead) streamLocked(i int64) *stream {
	at := slices.IndexFunc(a.streams, func(s *stream) bool { return s.next == i })
	s := &stream{next: i}
	if at >= 0 {
		s = a.streams[at]
		a.streams = slices.Delete(a.streams, at, at+1)
	} else if len(a.streams) == maxStreams {
		a.dropLocked(a.streams[0])
		a.streams = slices.Delete(a.streams, 0, 1)
	}
	a.streams = append(a.streams, s)
	return s
}

// extendLocked requests what follows in a stream, up to a piece that was already requested.
func (a *readAhead) extendLocked(h wire.Handle, s *stream) {
	for s.ahead < s.depth && s.next*piece < a.size && !a.askedLocked(s.next) {
		n := a.pieceSize(s.next)
		if a.s.unread.Add(n) > maxUnread || !a.s.Window.TryTake(int(n)) {
			a.s.unread.Add(-n)
			return
		}
		a.askLocked(h, s.next, s, true)
	}
}

// pieceSize returns the length of piece i.
func (a *readAhead) pieceSize(i int64) int64 { return min(piece, a.size-i*piece) }

// askLocked requests piece i, the next one of s.
func (a *readAhead) askLocked(h wire.Handle, i int64, s *stream, ahead bool) *fetch {
	n := int(a.pieceSize(i))
	f := &fetch{stream: s, ahead: ahead, n: n, left: n, done: make(chan struct{})}
	if a.fetches == nil {
		a.fetches, a.asked = make(map[int64]*fetch), make(map[int64]uint64)
	}
	a.fetches[i] = f
	a.asked[i/64] |= 1 << (i % 64)
	s.next = i + 1
	if ahead {
		s.ahead++
	}
	a.users.Add(1)
	a.s.PostFrame(&wire.Read{File: h, Off: i * piece, N: uint32(n)}, func(frame wire.Frame, err error) {
		f.frame = frame
		f.data, f.err = dataOf(a.s, frame, err, n)
		if ahead {
			a.s.Window.Ack(n)
		}
		close(f.done)
		a.release(h)
	})
	return f
}

func (a *readAhead) askedLocked(i int64) bool { return a.asked[i/64]&(1<<(i%64)) != 0 }

// dropLocked forgets the requests of a stream, or of all streams if s is nil.
func (a *readAhead) dropLocked(s *stream) {
	for i, f := range a.fetches {
		if s == nil || f.stream == s {
			delete(a.fetches, i)
			f.forget(a.s)
		}
	}
}

// forget records that a piece has been read, or will not be read.
func (f *fetch) forget(on *Client) {
	if f.ahead {
		f.ahead = false
		f.stream.ahead--
		on.unread.Add(-int64(f.n))
	}
}

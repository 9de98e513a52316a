// Package link moves frames over one or several channels.
//
// What is sent is encoded at the end of a queue, which each channel takes batches from as fast as it writes them:
// frames that are sent while all channels write go together, and none waits while a channel is idle. Batches are
// compressed by the channel that takes them.
package link

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"sync"
	"time"

	"psync/internal/wire"
)

const (
	maxQueued = 1 << 20   // bytes, beyond which Send waits
	batchSize = 128 << 10 // bytes, from which on a batch is not added to
	readSize  = 128 << 10 // bytes that are read at once
)

// Options say how a Link works.
type Options struct {
	// Receive is called with each frame that arrives, by one goroutine for each channel. The frame belongs to
	// the callee, who may release it. While Receive does not return, the channel is not read. An error ends the Link with that error.
	Receive  func(wire.Frame) error
	Compress wire.Compression
}

// A Link moves frames over channels. All methods are safe for concurrent use.
type Link struct {
	receive    func(wire.Frame) error
	compressor *wire.Compressor
	done       chan struct{}  // closed when the link ends
	writers    sync.WaitGroup // started under mu, and not after the link was closed

	mu       sync.Mutex // guards what follows
	writable sync.Cond  // a batch is queued, or the link is closed
	sendable sync.Cond  // there is room in the queue, or the link has ended
	batches  [][]byte   // that wait to be written; frames are added to the last one
	queued   int        // bytes in batches
	due      bool       // not all of these were sent by SendLater
	closed   bool       // Close was called: writers end when no batch is left
	err      error      // why the link has ended
	channels []*channel
	compress wire.Compression
	choice   choice

	segment    *segment            // that is being sent, or nil
	probes     uint64              // that were sent
	underWay   map[uint64]*segment // that have not arrived, by their probes
	arrived    time.Time           // when the last segment did
	leastDelay time.Duration       // until a batch that has been written arrives
	queue      time.Duration       // how long a batch waits on the path for those before it
}

// New returns a Link without channels.
func New(o Options) *Link {
	l := &Link{
		receive: o.Receive, compress: o.Compress, compressor: wire.NewCompressor(), done: make(chan struct{}),
		leastDelay: math.MaxInt64,
	}
	l.writable.L, l.sendable.L = &l.mu, &l.mu
	return l
}

// A channel is one of those that frames go over. What it has of its own is guarded by the mutex of the Link.
type channel struct {
	io.ReadWriteCloser
	segment *segment // of the batch that is being written, or was last; nil: nothing is compressed
}

// A ChannelError says that a channel was lost. It wraps io.EOF if the other side has closed it between two frames.
type ChannelError struct{ Err error }

func (e *ChannelError) Error() string { return e.Err.Error() }

func (e *ChannelError) Unwrap() error { return e.Err }

// Done returns a channel that is closed when the Link has ended: after Close, an error of any channel or of Receive,
// or a malformed frame.
func (l *Link) Done() <-chan struct{} { return l.done }

// WithContext returns a context that also ends when the Link does. The caller calls cancel in the end.
func (l *Link) WithContext(ctx context.Context) (_ context.Context, cancel context.CancelFunc) {
	ctx, cancel = context.WithCancel(ctx)
	go func() {
		select {
		case <-l.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// Err returns why the Link has ended, or nil if it has not: a *[ChannelError], a *[PeerError], or the error of Fail;
// fs.ErrClosed says that Close was called.
func (l *Link) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Close sends what waits to be sent, if there is a channel, and closes the channels. It waits as long as the other side does not read,
// unless the Link ends. Receive may still run when it returns. It returns why the Link ended, if something
// else has ended it.
func (l *Link) Close() error {
	l.mu.Lock()
	l.closed = true
	l.writable.Broadcast()
	l.sendable.Broadcast()
	l.mu.Unlock()
	l.writers.Wait()
	l.end(fs.ErrClosed)
	if err := l.Err(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

// end ends the link for a reason, unless it has ended.
func (l *Link) end(err error) {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return
	}
	l.err, l.batches, l.queued = err, nil, 0
	channels := l.channels
	l.channels = nil
	l.writable.Broadcast()
	l.sendable.Broadcast()
	close(l.done)
	l.mu.Unlock()
	for _, c := range channels {
		_ = c.Close() // what was written has been taken, or is lost
	}
}

// Fail ends the Link with an error, unless it has ended.
func (l *Link) Fail(err error) { l.end(err) }

// SetCompression sets which of the frames are compressed that are sent from now on.
func (l *Link) SetCompression(c wire.Compression) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.compress = c
}

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
	// Resumable makes the Link retain frames until they are acknowledged. Once one side has called Establish, and the
	// other has learned of it, losing a channel suspends the Link instead of ending it: all channels are closed until
	// Resume is called. A channel that the other side closes deliberately is not lost. Both sides must set Resumable, or
	// call SetResumable.
	Resumable bool
	// Suspended is called with the error when that has happened. It may be nil, and must not wait.
	Suspended func(error)
}

// A Link moves frames over channels. All methods are safe for concurrent use.
type Link struct {
	receive    func(wire.Frame) error
	suspended  func(error) // or nil
	compressor *wire.Compressor
	done       chan struct{}  // closed when the link ends
	writers    sync.WaitGroup // started under mu, and not after the link was closed

	mu       sync.Mutex // guards what follows
	writable sync.Cond  // a batch is queued, or the link is closed
	sendable sync.Cond  // there is room in the queue, or the link has ended
	batches  []batch    // that wait to be written; frames are added to the last one
	queued   int        // bytes in batches
	due      bool       // not all of these were sent by SendLater
	taken    batch      // by TakeQueued, for the first channel
	closed   bool       // Close was called: writers end when no batch is left
	err      error      // why the link has ended
	channels []*channel
	past     []pastChannel
	compress wire.Compression
	choice   choice

	segment     *segment      // that is being sent, or nil
	arrived     time.Time     // when the last segment did
	leastDelay  time.Duration // until a batch that has been written arrives
	queue       time.Duration // how long a batch waits on the path for those before it
	resumable   bool          // frames that were sent are retained until they have arrived
	established bool          // the link outlives its channels
}

// New returns a Link without channels.
func New(o Options) *Link {
	l := &Link{
		receive: o.Receive, suspended: o.Suspended,
		compress: o.Compress, compressor: wire.NewCompressor(), done: make(chan struct{}), resumable: o.Resumable,
		leastDelay: math.MaxInt64,
	}
	l.writable.L, l.sendable.L = &l.mu, &l.mu
	return l
}

// A channel is one of those that frames go over. What it has of its own is guarded by the mutex of the Link.
type channel struct {
	io.ReadWriteCloser
	number   uint32
	ended    bool       // nothing goes over it any more
	leaving  bool       // the other side closes it on purpose
	said     bool       // this side does, and has said so
	retained retained   // of what was sent
	writing  *block     // of retained, or nil
	received uint64     // frames
	unacked  int        // bytes that have arrived and are not acknowledged
	segment  *segment   // of the batch that is being written, or was last; nil: nothing is compressed
	underWay []*segment // that ended with a batch of this channel and have not arrived
}

// A pastChannel is what is kept of a channel that has ended, while the Link goes on.
type pastChannel struct {
	number   uint32
	received uint64   // frames
	retained retained // of what was sent
}

// Channels returns how many channels there are.
func (l *Link) Channels() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.channels)
}

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

// Err returns why the Link has ended, or nil if it has not; io.EOF says that the other side closed a channel between
// two frames, and fs.ErrClosed that Close was called.
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

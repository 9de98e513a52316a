// Package link moves frames over one or several channels.
//
// What is sent is encoded at the end of a queue, which each channel takes batches from as fast as it writes them:
// frames that are sent while all channels write go together, and none waits while a channel is idle. Frames are
// compressed by those who send them, so on as many processors as there are senders.
package link

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"

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
	// Resumable has what was sent and may not have arrived be retained. Once Establish was called on one side, and the
	// other has learned of it, the Link outlives its channels: when one ends without having been closed by the
	// other side on purpose, or fails, all are closed until Resume is called. Both sides must say so, or call
	// SetResumable.
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
	taken    batch      // by TakeQueued, for the first channel
	closed   bool       // Close was called: writers end when no batch is left
	err      error      // why the link has ended
	channels []*channel
	past     []pastChannel
	compress wire.Compression
	speed    speed
	trial    trial

	resumable   bool // frames that were sent are retained until they have arrived
	established bool // the link outlives its channels
}

// New returns a Link without channels.
func New(o Options) *Link {
	l := &Link{
		receive: o.Receive, suspended: o.Suspended,
		compress: o.Compress, compressor: wire.NewCompressor(), done: make(chan struct{}), resumable: o.Resumable,
	}
	l.writable.L, l.sendable.L = &l.mu, &l.mu
	return l
}

// Add adds a channel, which the Link closes in the end. Frames go over any channel, so they may overtake one
// another. Both sides give a channel the same number, which no other has had.
func (l *Link) Add(number uint32, c io.ReadWriteCloser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addLocked(number, c)
}

func (l *Link) addLocked(number uint32, c io.ReadWriteCloser) {
	if l.err != nil || l.closed {
		_ = c.Close()
		return
	}
	ch := &channel{ReadWriteCloser: c, number: number}
	if l.taken.frames > 0 {
		ch.retained.add(l.taken)
		l.taken = batch{}
	}
	l.channels = append(l.channels, ch)
	l.writers.Go(func() { l.write(ch) })
	go l.read(ch)
}

// Channels returns how many channels there are.
func (l *Link) Channels() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.channels)
}

// Send sends a frame. What it refers to may be changed when Send returns. It waits while many bytes wait to be
// sent. After the Link has ended, it returns the error of Err. Any other error says that the frame exceeds a
// limit; then it was not sent, and the Link goes on.
func (l *Link) Send(f wire.Frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.waitLocked(); err != nil {
		return err
	}
	if l.shouldCompressLocked() {
		return l.sendCompressedLocked(f)
	}
	return l.queueLocked(func(batch []byte) ([]byte, error) { return wire.Append(batch, f) })
}

// TakeQueued returns the bytes that wait to be sent, for a caller that has another way to send them, as the first ones
// over the first channel. There is no channel yet.
func (l *Link) TakeQueued() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.batches {
		l.taken.bytes = append(l.taken.bytes, b.bytes...)
		l.taken.frames += b.frames
	}
	l.batches, l.queued = nil, 0
	return slices.Clone(l.taken.bytes)
}

// waitLocked waits for room in the queue.
func (l *Link) waitLocked() error {
	for l.err == nil && !l.closed && l.queued >= maxQueued {
		l.sendable.Wait()
	}
	l.sendable.Signal() // each one that goes on wakes the next, who sees whether there is still room
	if l.err == nil && l.closed {
		return fs.ErrClosed
	}
	return l.err
}

// queueLocked has encode append to the last batch, or to another one if that is full.
func (l *Link) queueLocked(encode func(batch []byte) ([]byte, error)) error {
	last := len(l.batches) - 1
	fresh := last < 0 || len(l.batches[last].bytes) >= batchSize
	var before []byte
	if fresh {
		before = takeBatch()
	} else {
		before = l.batches[last].bytes
	}
	bytes, err := encode(before)
	switch {
	case err != nil && fresh:
		putBatch(before)
		return err
	case err != nil:
		return err
	case fresh:
		l.batches = append(l.batches, batch{bytes, 1})
	default:
		l.batches[last].bytes = bytes
		l.batches[last].frames++
	}
	l.queued += len(bytes) - len(before)
	l.writable.Signal()
	return nil
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

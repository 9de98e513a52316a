package pace

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// The bounds of Chunk, in bytes.
const (
	minChunk = 4 << 10
	maxChunk = 16 << 20
)

// A Limiter limits the bytes per second that all workers move together. Workers are
// served in the order in which they call Wait. A nil *Limiter sets no limit. Its methods
// are safe for concurrent use.
type Limiter struct {
	rate  *rate.Limiter
	chunk atomic.Int64
}

// NewLimiter returns a Limiter for that many bytes per second, or nil if the number is
// not positive.
func NewLimiter(bytesPerSecond int64) *Limiter {
	if bytesPerSecond <= 0 {
		return nil
	}
	// The bucket holds one chunk, which bounds the burst at the start and after idle
	// times.
	chunk := chunkOf(bytesPerSecond)
	l := &Limiter{rate: rate.NewLimiter(rate.Limit(bytesPerSecond), int(chunk))}
	l.chunk.Store(chunk)
	return l
}

// SetRate changes the rate to one that is positive and at most that of NewLimiter. Bytes that workers wait for already come
// at the rate of before.
func (l *Limiter) SetRate(bytesPerSecond int64) {
	l.rate.SetLimit(rate.Limit(bytesPerSecond))
	l.chunk.Store(chunkOf(bytesPerSecond)) // the bucket stays as large, or a worker could ask for more than it holds
}

func chunkOf(bytesPerSecond int64) int64 { return min(max(bytesPerSecond/10, minChunk), maxChunk) }

// Chunk returns the most bytes that a worker should wait for at once for a smooth
// flow: a tenth of a second's worth, between 4 KiB and 16 MiB. It is 0 if there is no
// limit.
func (l *Limiter) Chunk() int64 {
	if l == nil {
		return 0
	}
	return l.chunk.Load()
}

// Wait blocks until n bytes may be moved. It waits for one chunk at a time, so that
// other workers get their turns in between. The only error that it returns is the cause
// of ctx, when ctx is done.
func (l *Limiter) Wait(ctx context.Context, n int64) error {
	for l != nil && n > 0 {
		take := min(n, l.chunk.Load())
		if err := l.wait(ctx, int(take)); err != nil {
			return err
		}
		n -= take
	}
	return context.Cause(ctx)
}

// wait waits for n bytes, at most a chunk. It is not rate.Limiter.WaitN because
// that gives up early, with an error of its own, where ctx has a deadline.
func (l *Limiter) wait(ctx context.Context, n int) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	turn := l.rate.ReserveN(time.Now(), n)
	err := Sleep(ctx, turn.Delay())
	if err != nil {
		turn.Cancel()
	}
	return err
}

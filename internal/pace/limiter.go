package pace

import (
	"context"
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
	chunk int64
}

// NewLimiter returns a Limiter for that many bytes per second, or nil if the number is
// not positive.
func NewLimiter(bytesPerSecond int64) *Limiter {
	if bytesPerSecond <= 0 {
		return nil
	}
	// The bucket holds one chunk, which bounds the burst at the start and after idle
	// times.
	chunk := min(max(bytesPerSecond/10, minChunk), maxChunk)
	return &Limiter{rate.NewLimiter(rate.Limit(bytesPerSecond), int(chunk)), chunk}
}

// Chunk returns the most bytes that a worker should wait for at once for a smooth
// flow: a tenth of a second's worth, between 4 KiB and 16 MiB. It is 0 if there is no
// limit.
func (l *Limiter) Chunk() int64 {
	if l == nil {
		return 0
	}
	return l.chunk
}

// Wait blocks until n bytes may be moved. It waits for one chunk at a time, so that
// other workers get their turns in between. The only error that it returns is the cause
// of ctx, when ctx is done.
func (l *Limiter) Wait(ctx context.Context, n int64) error {
	for l != nil && n > 0 {
		take := min(n, l.chunk)
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

package pace

import (
	"context"
	"time"

	"golang.org/x/time/rate"
)

// The bounds of what Chunk returns, in bytes.
const (
	minChunk = 4 << 10
	maxChunk = 16 << 20
)

// A Limiter limits the bytes that all workers together move in a second. Who
// comes first is served first. A nil *Limiter sets no limit. Its methods are
// safe for concurrent use.
type Limiter struct {
	rate  *rate.Limiter
	chunk int64
}

// NewLimiter returns a Limiter of that many bytes a second, or nil if it is not positive.
func NewLimiter(bytesPerSecond int64) *Limiter {
	if bytesPerSecond <= 0 {
		return nil
	}
	// The bucket holds one chunk, so neither the start nor an idle time is
	// followed by a burst of more.
	chunk := min(max(bytesPerSecond/10, minChunk), maxChunk)
	return &Limiter{rate.NewLimiter(rate.Limit(bytesPerSecond), int(chunk)), chunk}
}

// Chunk returns the most bytes that a worker should ask for at once so that
// the flow is smooth: a tenth of a second's worth, within 4 KiB and 16 MiB. It
// is 0 where there is no limit.
func (l *Limiter) Chunk() int64 {
	if l == nil {
		return 0
	}
	return l.chunk
}

// Wait blocks until n bytes may be moved. More than a chunk is waited for chunk
// by chunk, so that other workers have their turns in between. It returns the
// cause of ctx once ctx is done, and no other error.
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
	delay := turn.Delay()
	if delay == 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}

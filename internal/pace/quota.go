package pace

import (
	"context"
	"sync/atomic"
)

// A Pacer limits how fast bytes are moved. Several workers may use the same one at once.
type Pacer interface {
	// Wait returns when n bytes may be moved, or the cause of ctx once that is done.
	Wait(ctx context.Context, n int64) error
	// Chunk returns the maximum number of bytes to request at once; 0 means any number.
	Chunk() int64
}

// A Quota is a [Pacer] that counts the bytes that are moved, and keeps to the pace of another one.
type Quota struct {
	pace    Pacer        // nil: as fast as they go
	left    atomic.Int64 // bytes
	reached func()
}

// NewQuota returns a Quota that calls reached as soon as the given number of bytes has been moved, and each time after that.
func NewQuota(bytes int64, pace Pacer, reached func()) *Quota {
	q := &Quota{pace: pace, reached: reached}
	q.left.Store(bytes)
	return q
}

// Wait returns when n bytes may be moved, or the cause of ctx once that is done.
func (q *Quota) Wait(ctx context.Context, n int64) error {
	if q.left.Add(-n) <= 0 {
		q.reached()
	}
	if q.pace == nil {
		return nil
	}
	return q.pace.Wait(ctx, n)
}

// Chunk returns the maximum number of bytes to request at once; 0 means any number.
func (q *Quota) Chunk() int64 {
	if q.pace == nil {
		return 0
	}
	return q.pace.Chunk()
}

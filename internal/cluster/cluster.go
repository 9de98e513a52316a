// Package cluster has runs of the engine on several hosts share one job by a queue, and keeps the journal of that job.
//
// Each host runs the same command on the same trees. In each round of the job, a [Host] has the engine copy what it claims
// of the queue, and puts directories that wait for its workers if other hosts have nothing to do. The records of the journal
// go to the queue, from where a [Keeper] writes them to a file, which proves in the end that nothing is missing.
//
// What the hosts and the keeper do next is decided by package protocol.
package cluster

import (
	"context"
	"errors"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// ErrNotAlive is the error for a host that did not renew its leases in time, or whose claims others have. It must not change
// anything any more.
var ErrNotAlive = errors.New("this host was silent for too long, so others go on with its directories")

const (
	requestTimeout = 5 * time.Second
	firstPause     = 20 * time.Millisecond // between a request and its repetition
	lastPause      = time.Second
)

// put puts bundles that a claim leads to. Each is a request of its own, because one may be as large as a message.
func put(ctx context.Context, q queue.Queue, c queue.Claim, bundles []queue.Bundle) error {
	for _, b := range bundles {
		if err := again(ctx, func(ctx context.Context) error { return q.Put(ctx, c, b) }); err != nil {
			return err
		}
	}
	return nil
}

// again repeats a request until it is known whether it was carried out, or ctx ends.
func again(ctx context.Context, request func(ctx context.Context) error) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		try, cancel := context.WithTimeout(ctx, requestTimeout)
		err := request(try)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil || isAnswer(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// isAnswer reports whether an error comes from the queue, so that it will be the same if the request is repeated.
func isAnswer(err error) bool {
	for _, answer := range []error{
		queue.ErrTaken, queue.ErrEmpty, queue.ErrRound, queue.ErrClosed, queue.ErrUnknown, queue.ErrLost, queue.ErrTooLarge, queue.ErrPath, queue.ErrDenied,
	} {
		if errors.Is(err, answer) {
			return true
		}
	}
	_, differs := errors.AsType[*queue.DifferenceError](err)
	return differs
}

// stateOf returns the state of a queue.
func stateOf(ctx context.Context, q queue.Queue) (s queue.State, err error) {
	err = again(ctx, func(ctx context.Context) (err error) {
		s, err = q.State(ctx)
		return err
	})
	return s, err
}

// leaseOr returns how long a lease lasts.
func leaseOr(lease time.Duration) time.Duration {
	if lease == 0 {
		return protocol.Lease
	}
	return lease
}

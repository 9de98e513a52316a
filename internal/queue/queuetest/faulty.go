package queuetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"psync/internal/queue"
)

// ErrLost is the error for a request or an answer that was lost.
var ErrLost = errors.New("no answer, by the test")

// Rates says how often something happens to a request, between 0 and 1.
type Rates struct {
	LoseRequest float64
	LoseAnswer  float64
	Repeat      float64 // carry it out once more, later
	Delay       float64 // have it, its answer or its repetition take time, so that others are carried out before
	MaxDelay    time.Duration
}

// Faulty is a queue behind a network that is not reliable. It passes on what the queue says, or fails with ErrLost.
type Faulty struct {
	Queue queue.Queue
	Rates Rates

	mu     sync.Mutex // guards what follows
	random *rand.Rand
	counts Counts
	late   sync.WaitGroup
}

// Counts says how often something has happened.
type Counts struct{ Requests, LostRequests, LostAnswers, Repeats, Delays int }

// NewFaulty returns a queue whose faults depend on a seed.
func NewFaulty(q queue.Queue, r Rates, seed uint64) *Faulty {
	return &Faulty{Queue: q, Rates: r, random: rand.New(rand.NewPCG(seed, 31))}
}

// Wait waits until no request is on its way, and returns what has happened.
func (f *Faulty) Wait() Counts {
	f.late.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts
}

// A fate is what happens to one request.
type fate struct {
	request, answer, repeat time.Duration // delays
	losesRequest            bool
	losesAnswer             bool
	repeats                 bool
}

func (f *Faulty) draw() (w fate) {
	f.mu.Lock()
	defer f.mu.Unlock()
	happens := func(rate float64, n *int) bool {
		if f.random.Float64() >= rate {
			return false
		}
		*n++
		return true
	}
	delay := func() time.Duration {
		if f.Rates.MaxDelay == 0 || !happens(f.Rates.Delay, &f.counts.Delays) {
			return 0
		}
		return time.Duration(f.random.Int64N(int64(f.Rates.MaxDelay)))
	}
	f.counts.Requests++
	w.request, w.answer, w.repeat = delay(), delay(), delay()
	w.losesRequest = happens(f.Rates.LoseRequest, &f.counts.LostRequests)
	w.losesAnswer = happens(f.Rates.LoseAnswer, &f.counts.LostAnswers)
	w.repeats = happens(f.Rates.Repeat, &f.counts.Repeats)
	return w
}

// do carries out a request. A request that is delayed is on its way even if its sender ends.
func do[T any](ctx context.Context, f *Faulty, request func(context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	w := f.draw()
	answers := make(chan answer, 1)
	detached := context.WithoutCancel(ctx)
	f.late.Go(func() {
		time.Sleep(w.request)
		if w.repeats {
			f.late.Go(func() {
				time.Sleep(w.repeat)
				_, _ = request(detached)
			})
		}
		a := answer{err: ErrLost}
		if !w.losesRequest {
			a.value, a.err = request(detached)
		}
		time.Sleep(w.answer)
		if w.losesAnswer {
			a = answer{err: ErrLost}
		}
		answers <- a
	})
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

func doErr(ctx context.Context, f *Faulty, request func(context.Context) error) error {
	_, err := do(ctx, f, func(ctx context.Context) (struct{}, error) { return struct{}{}, request(ctx) })
	return err
}

func (f *Faulty) Join(ctx context.Context, m queue.Member) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Join(ctx, m) })
}

func (f *Faulty) Report(ctx context.Context, member queue.ID, s queue.Status) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Report(ctx, member, s) })
}

func (f *Faulty) Leave(ctx context.Context, member queue.ID) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Leave(ctx, member) })
}

func (f *Faulty) Claim(ctx context.Context, member, request queue.ID, round int) (queue.Claim, error) {
	return do(ctx, f, func(ctx context.Context) (queue.Claim, error) { return f.Queue.Claim(ctx, member, request, round) })
}

func (f *Faulty) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Put(ctx, c, bundles...) })
}

func (f *Faulty) Renew(ctx context.Context, c queue.Claim) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Renew(ctx, c) })
}

func (f *Faulty) Finish(ctx context.Context, c queue.Claim) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Finish(ctx, c) })
}

func (f *Faulty) GiveBack(ctx context.Context, c queue.Claim) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.GiveBack(ctx, c) })
}

func (f *Faulty) Append(ctx context.Context, r queue.Record) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Append(ctx, r) })
}

func (f *Faulty) Records(ctx context.Context, after uint64) ([]queue.Record, error) {
	return do(ctx, f, func(ctx context.Context) ([]queue.Record, error) { return f.Queue.Records(ctx, after) })
}

func (f *Faulty) Begin(ctx context.Context, r queue.Round) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Begin(ctx, r) })
}

func (f *Faulty) Close(ctx context.Context, exitStatus int) error {
	return doErr(ctx, f, func(ctx context.Context) error { return f.Queue.Close(ctx, exitStatus) })
}

func (f *Faulty) State(ctx context.Context) (queue.State, error) {
	return do(ctx, f, func(ctx context.Context) (queue.State, error) { return f.Queue.State(ctx) })
}

// Lost implements [queue.Queue].
func (f *Faulty) Lost() <-chan struct{} { return f.Queue.Lost() }

// Watch is not disturbed: that signals arrive is what connections are made again for.
func (f *Faulty) Watch(ctx context.Context, t queue.Topic) (<-chan struct{}, error) {
	return f.Queue.Watch(ctx, t)
}

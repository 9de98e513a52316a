package queuetest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/queuetest"
)

const lease = time.Minute

// TestFaultyPassesEverythingOn holds a network without faults against the contract.
func TestFaultyPassesEverythingOn(t *testing.T) {
	for name, test := range queuetest.Tests() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := queuetest.NewFaulty(memqueue.New(lease, time.Now), queuetest.Rates{}, 1)
				test(t, queuetest.Bench{Queue: f, Lease: lease, Advance: time.Sleep})
				if c := f.Wait(); c.Requests == 0 || c.LostRequests+c.LostAnswers+c.Repeats+c.Delays > 0 {
					t.Errorf("counted %+v", c)
				}
			})
		})
	}
}

// TestFaultsHappen has one kind of fault at a time.
func TestFaultsHappen(t *testing.T) {
	for _, tt := range []struct {
		name    string
		rates   queuetest.Rates
		err     error
		records int
		want    queuetest.Counts
	}{
		{"lost requests", queuetest.Rates{LoseRequest: 1}, queuetest.ErrLost, 0, queuetest.Counts{Requests: 1, LostRequests: 1}},
		{"lost answers", queuetest.Rates{LoseAnswer: 1}, queuetest.ErrLost, 1, queuetest.Counts{Requests: 1, LostAnswers: 1}},
		{
			"lost and repeated",
			queuetest.Rates{LoseRequest: 1, Repeat: 1},
			queuetest.ErrLost, 1,
			queuetest.Counts{Requests: 1, LostRequests: 1, Repeats: 1},
		},
		{
			"delays",
			queuetest.Rates{Delay: 1, MaxDelay: time.Hour},
			context.DeadlineExceeded, 1,
			queuetest.Counts{Requests: 1, Delays: 3},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := memqueue.New(lease, time.Now)
				f := queuetest.NewFaulty(q, tt.rates, 1)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := f.Append(ctx, queue.Record{ID: queue.NewID()}); !errors.Is(err, tt.err) {
					t.Errorf("Append = %v, want %v", err, tt.err)
				}
				if got := f.Wait(); got != tt.want {
					t.Errorf("counted %+v, want %+v", got, tt.want)
				}
				if records, err := q.Records(t.Context(), 0); err != nil || len(records) != tt.records {
					t.Errorf("%d records, %v, want %d", len(records), err, tt.records)
				}
			})
		})
	}
}

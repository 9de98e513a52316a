package memqueue_test

import (
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/queue/memqueue"
	"psync/internal/queue/queuetest"
)

const lease = time.Minute

func TestQueue(t *testing.T) {
	for name, test := range queuetest.Tests() {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(1e9, 0)
			test(t, queuetest.Bench{
				Queue:   memqueue.New(lease, func() time.Time { return now }),
				Lease:   lease,
				Advance: func(d time.Duration) { now = now.Add(d) },
			})
		})
	}
}

// TestQueueByTheClockOfTheSystem has that of a bubble.
func TestQueueByTheClockOfTheSystem(t *testing.T) {
	for name, test := range queuetest.Tests() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, queuetest.Bench{Queue: memqueue.New(lease, time.Now), Lease: lease, Advance: time.Sleep})
			})
		})
	}
}

package cluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/cluster"
	"psync/internal/engine"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/protocol"
)

// TestJournalsOfOtherJobs has keepers with journals that are not those of their jobs.
func TestJournalsOfOtherJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const src = "d/f 644 @2001-01-01T00:00:00Z x\n./ 755 @2001-01-01T00:00:00Z\n"
		b := newTestbed(t, src, "", 1)
		b.runAll(t, 1, b.slow(0))
		b.wantComplete(t)
		if status, err := b.keep(t.Context(), b.queue); status != 0 || err != nil {
			t.Errorf("a keeper of a job that has ended: %d, %v", status, err)
		}
		ended, fresh := b.queue, memqueue.New(protocol.Lease, time.Now)
		if _, err := b.keep(t.Context(), fresh); !errors.Is(err, cluster.ErrGone) {
			t.Errorf("a journal whose job is gone: %v", err)
		}
		b.name = filepath.Join(t.TempDir(), "new")
		if _, err := b.keep(t.Context(), ended); !errors.Is(err, cluster.ErrOtherJournal) {
			t.Errorf("a new journal for a job that has one: %v", err)
		}
		alone := newTestbed(t, src, "", 1)
		w, err := journal.Create(os.OpenFile, alone.name, journal.Job{Roots: []string{"/src"}}, journal.Session{})
		if err != nil {
			t.Fatal(err)
		}
		j := alone.job(alone.slow(0))
		j.Journal = w
		if err := errors.Join(engine.Run(t.Context(), j), w.Close(journal.End{})); err != nil {
			t.Fatal(err)
		}
		alone.closeAll()
		if _, err := alone.keep(t.Context(), alone.queue); !errors.Is(err, cluster.ErrOtherJournal) {
			t.Errorf("the journal of a run without a queue: %v", err)
		}
	})
}

// TestJournalHasMoreThanItsJob has a server lose all but the first records of a job. Others get the offsets of those.
func TestJournalHasMoreThanItsJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const src = "d/f 644 @2001-01-01T00:00:00Z x\nd/ 755 @2001-01-01T00:00:00Z\n./ 755 @2001-01-01T00:00:00Z\n"
		b := newTestbed(t, src, "", 1)
		b.runAll(t, 1, b.slow(0))
		b.wantComplete(t)
		ctx, whole := t.Context(), b.queue
		records, err := whole.Records(ctx, 0)
		if err != nil || len(records) < 2 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for n := 1; n <= len(records); n++ {
			rest := memqueue.New(protocol.Lease, time.Now)
			for i, r := range records[:n] {
				if i == 1 {
					err = errors.Join(err, rest.Begin(ctx, queue.Round{N: 1}))
				}
				err = errors.Join(err, rest.Append(ctx, r))
			}
			if err != nil {
				t.Fatal(err)
			}
			// A host has ended in a directory that the journal calls done.
			fill(t, b.dst, "d/ 700 @2002-01-01T00:00:00Z\n")
			b.queue = rest
			b.runAll(t, 1, b.slow(0))
			if n < len(records) {
				b.wantComplete(t)
			}
		}
	})
}

// TestRecordsThatAreNotSound has a member add records that no host adds.
func TestRecordsThatAreNotSound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newTestbed(t, "d/f 644 @2001-01-01T00:00:00Z x\n./ 755 @2001-01-01T00:00:00Z\n", "", 1)
		go func() {
			for i := range 9 {
				time.Sleep(time.Duration(i) * time.Millisecond)
				_ = b.queue.Append(t.Context(), queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("J nonsense")})
			}
		}()
		b.runAll(t, 2, b.slow(100*time.Millisecond))
		b.wantComplete(t)
	})
}

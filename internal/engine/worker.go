package engine

import (
	"sync"
	"sync/atomic"

	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/walk"
)

// run is the state that the workers share.
type run struct {
	job job.Run
	removing
	pending
	pool      *walk.Pool[task, *worker]
	cache     pairs.Cache
	rootSweep rootSweep
	tempDir   *job.Dir     // that of the job, if it was swept
	opened    []pairs.Pair // whose destinations are not the job's
	sweeper   *sweep.Sweeper
	entries   *entry.Shared

	unfinishedDirs atomic.Int64 // directories that were left when the run was to end
}

// removing is what is known of removals from the destination.
type removing struct {
	removals mirror.Removals
	destDirs pairs.Cache   // of directories of the destination that others are removed from
	inUse    mirror.DirSet // directories that the run works with, so that they must not be removed
}

// pending is what is left to be done when everything is copied.
type pending struct {
	mu       sync.Mutex // guards what follows
	deferred []job.Deferral
	// unfinished are directories that wait for removals or for hard links.
	unfinished map[*job.DirInfo]bool
}

// worker returns a new worker.
func (r *run) worker() *worker {
	w := &worker{run: r, job: r.job.NewWorker()}
	w.entries = r.entries.NewWorker(w.job, w.shareRanges)
	return w
}

// A worker goes through one directory at a time.
type worker struct {
	run     *run            // what it shares with the others
	job     *job.Worker     // what it knows of the job, and how it reports
	entries *entry.Worker   // copies entries that are no directories
	aliases alias.Detector  // of the directory that is being listed
	names   dirnames.KeySet // of that directory, where some may be listed again
}

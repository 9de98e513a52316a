package engine

import (
	"sync"
	"sync/atomic"

	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/dirs"
	"psync/internal/engine/entry"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A run is the state that the workers share.
type run struct {
	job       job.Run
	pool      *walk.Pool[task, *worker]
	stack     *sharedStack // nil: the run has no peers
	cache     pairs.Cache
	rootSweep dirs.RootSweep
	tempDir   *job.Dir     // that of the job, if it was swept
	opened    []pairs.Pair // pairs whose destinations are not the job's
	entries   *entry.Shared

	closers *walk.Waiters[*worker] // end the work on directories of a host

	removals mirror.Removals
	destDirs pairs.Cache // destination directories that others are removed from

	// unseen and unfinishedDirs count the directories that were not looked into, or not finished, when the run had to end.
	unseen, unfinishedDirs atomic.Int64

	approve func() error // returns why deferred removals must not be carried out, or nil
	over    error        // the result of approve
	ended   error        // why the work on entries ended early, or nil

	mu       sync.Mutex               // guards the fields below
	deferred map[vfs.ID]*job.Deferral // what is applied last to directories of the destination
}

// worker returns a new worker.
func (r *run) worker() *worker {
	w := &worker{run: r, job: r.job.NewWorker()}
	w.entries = r.entries.NewWorker(w.job, w.shareRanges)
	return w
}

// A worker processes one directory at a time.
type worker struct {
	run     *run            // shared with the other workers
	job     *job.Worker     // the job as this worker knows it, and how it reports
	entries *entry.Worker   // copies entries other than directories
	aliases alias.Detector  // of the directory that is being listed
	names   dirnames.KeySet // of that directory, if some may be listed twice
}

package engine

import (
	"sync"

	"psync/internal/engine/alias"
	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/walk"
)

// run is the state that the workers share.
type run struct {
	job.Run
	removing
	pending
	pool        *walk.Pool[task, *worker]
	cache       pairs.Cache
	syncs       syncTargets
	rootSweep   rootSweep
	opened      []pairs.Pair // whose destinations are not the job's
	sweeper     *sweep.Sweeper
	placeConfig *place.Config
	links       linkTable
}

// removing is what is known of removals from the destination.
type removing struct {
	removals mirror.Removals
	destDirs pairs.Cache   // of directories of the destination that others are removed from
	inUse    mirror.DirSet // directories that the run works with, so that they must not be removed
}

// pending is what is left to be done when everything is copied.
type pending struct {
	mu       sync.Mutex     // guards what follows
	unsynced []unsyncedCopy // with Fsync and RemoveSource
	deferred []job.Deferral
	// unfinished are directories that wait for removals or for hard links.
	unfinished map[*unfinished]bool
}

// maxBuffers limits the memory of all workers' buffers together, in bytes.
const maxBuffers = 64 << 20

// worker returns a new worker.
func (r *run) worker() *worker {
	w := &worker{run: r, entryWorker: entryWorker{Worker: r.NewWorker()}}
	w.Copier.Share = w.shareRanges
	w.Copier.MaxBuffer = maxBuffers / int64(r.Workers.Get())
	w.Copier.Progress = func(n int64) {
		w.Count.Add(report.BytesCopied, n)
		w.copied.bytes += n
	}
	w.placer = place.Placer{Config: r.placeConfig, Attrs: &w.Attrs, Copier: &w.Copier}
	w.placing.w = w
	return w
}

// A worker copies one directory at a time.
type worker struct {
	*run
	entryWorker
	aliases alias.Detector // of the directory that is being listed
}

// An entryWorker copies one entry at a time.
type entryWorker struct {
	*job.Worker
	copied copiedBytes // of the file in hand

	item    item // in hand, see entry
	placer  place.Placer
	placing placing
}

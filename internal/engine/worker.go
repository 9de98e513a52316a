package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/engine/alias"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// run is the state that the workers share.
type run struct {
	Job
	tools
	removing
	pending
	stop           context.CancelCauseFunc
	pool           *walk.Pool[task, *worker]
	cache          pairs.Cache
	roots          []*pairs.Node // of the sources; nil for those that are left out
	syncs          syncTargets
	destID         vfs.ID
	rootSweep      rootSweep
	opened         []pairs.Pair // whose destinations are not the job's
	stopped        atomic.Bool  // a fatal error was reported
	sourceFailures failures
}

// tools are what the rooms of the engine need for a whole run.
type tools struct {
	routes      content.Routes
	volumes     volume.Table
	profiles    profiles
	attrPolicy  *attrs.Policy
	selector    *source.Selector
	backups     *backup.Store
	placeConfig *place.Config
	links       linkTable
	lifter      *attrs.Lifter
	sweeper     *sweep.Sweeper
	newTemp     func() string // returns a name for a temporary
}

// removing is what is known of removals from the destination.
type removing struct {
	onlyRemoves bool // the trees of Sources, from where they are
	unlisted    bool // removals are not reported
	removals    mirror.Removals
	destDirs    pairs.Cache // of directories of the destination that others are removed from
	mirror      mirror.Config
	inUse       mirror.DirSet // directories that the run works with, so that they must not be removed
	postponed   postponed
	dirlinks    dirlinks
}

// pending is what is left to be done when everything is copied.
type pending struct {
	mu       sync.Mutex     // guards what follows
	unsynced []unsyncedCopy // with Fsync and RemoveSource
	deferred []deferral
	locks    []deferral // of files
	// unfinished are directories that wait for removals or for hard links.
	unfinished   map[*unfinished]bool
	leftReported map[entryKey]bool // temporaries that were left and reported
}

// maxBuffers limits the memory of all workers' buffers together, in bytes.
const maxBuffers = 64 << 20

// worker returns a new worker.
func (r *run) worker() *worker {
	w := &worker{run: r, attrs: attrs.Setter{Policy: r.attrPolicy, Lifter: r.lifter}, count: r.Stats.Counter(), doing: r.Activity.AddWorker()}
	w.copier.Options = r.Content
	w.copier.Durable = true
	w.copier.Share = w.shareRanges
	w.copier.MaxBuffer = maxBuffers / int64(r.Workers.Get())
	w.copier.Progress = func(n int64) {
		w.count.Add(report.BytesCopied, n)
		w.copied.bytes += n
	}
	w.placer = place.Placer{Config: r.placeConfig, Attrs: &w.attrs, Copier: &w.copier}
	w.placing.w = w
	w.remover = mirror.Remover{Config: &r.mirror, Reporter: removalReporter{w}, Copier: &w.copier, Activity: w.doing}
	return w
}

// A worker copies one directory at a time.
type worker struct {
	*run
	count   *report.Counter
	copier  content.Copier
	aliases alias.Detector // of the directory that is being listed

	doing *report.WorkerActivity // what this worker does, for others to see

	copied copiedBytes // of the file in hand

	item    item // in hand, see entry
	attrs   attrs.Setter
	placer  place.Placer
	placing placing
	remover mirror.Remover
}

package job

import (
	"context"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Run holds what the workers of a run share.
type Run struct {
	Job              Job // what was asked for
	Stop             context.CancelCauseFunc
	Roots            Roots
	DestID           vfs.ID
	Routes           content.Routes
	Volumes          volume.Table
	Selector         *source.Selector
	Backups          *backup.Store
	Lifter           *attrs.Lifter
	NewTemp          func() string  // returns a name for a temporary
	Budget           Budget         // of removals from the destination
	InUse            Set[vfs.ID]    // directories that the run works with, which must not be removed
	Sweeper          *sweep.Sweeper // nil: temporaries are treated like other entries
	DeferredRemovals DeferredRemovals
	dirlinks         dirlinks
	SourceNames      SourceNames
	Listings         Listings // of destinations
	Syncs            SyncTargets
	Reporting        Reporting
	ApplyLast        func(*Deferral) // puts a task to apply deferred operations
}

// A Worker processes one directory at a time.
type Worker struct {
	Run     *Run
	Count   *report.Counter
	Copier  content.Copier
	Attrs   attrs.Setter
	Current *report.WorkerActivity // what this worker does, for status displays
}

// NewWorker returns a new worker.
func (r *Run) NewWorker() *Worker {
	return &Worker{
		Run:     r,
		Count:   r.Job.Stats.Counter(),
		Copier:  content.Copier{Options: r.Job.Content, Durable: true},
		Attrs:   attrs.Setter{Policy: r.Lifter.Policy},
		Current: r.Job.Activity.AddWorker(),
	}
}

// IsInUse reports whether the run works with a directory of the destination, or copies to it through a link.
func (r *Run) IsInUse(id vfs.ID) bool { return r.InUse.Has(id) || r.DirlinkSources(id) > 0 }

package job

import (
	"context"
	"sync"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Run holds what the workers of a run share.
type Run struct {
	Job
	Stop             context.CancelCauseFunc
	Roots            []*pairs.Node // of the sources; nil for sources that are left out
	DestID           vfs.ID
	Routes           content.Routes
	Volumes          volume.Table
	Profiles         Profiles
	AttrPolicy       *attrs.Policy
	Selector         *source.Selector
	Backups          *backup.Store
	Lifter           *attrs.Lifter
	NewTemp          func() string  // returns a name for a temporary
	Budget           Budget         // of removals from the destination
	InUse            Set[vfs.ID]    // directories that the run works with, which must not be removed
	Sweeper          *sweep.Sweeper // nil: temporaries are treated like other entries
	deferredRemovals deferredRemovals
	dirlinks         dirlinks
	operands         operands
	syncs            syncTargets
	reporting

	kept   atomic.Int64 // facts of listings of destinations
	linked changedLinks

	lockMu sync.Mutex // guards Locked
	Locked []Deferral // until no file gets further names
}

// Profiles describe the systems that the two sides are on.
type Profiles struct{ Source, Dest *metadata.Profile }

func (p Profiles) of(s pairs.Side) *metadata.Profile {
	if s == pairs.Dest {
		return p.Dest
	}
	return p.Source
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
		Count:   r.Stats.Counter(),
		Copier:  content.Copier{Options: r.Content, Durable: true},
		Attrs:   attrs.Setter{Policy: r.AttrPolicy},
		Current: r.Activity.AddWorker(),
	}
}

// IsInUse reports whether the run works with a directory of the destination, or copies to it through a link.
func (r *Run) IsInUse(id vfs.ID) bool { return r.InUse.Has(id) || r.DirlinkSources(id) > 0 }

package engine

import (
	"context"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A jobRun is what the workers of a run share.
type jobRun struct {
	Job
	stop       context.CancelCauseFunc
	roots      []*pairs.Node // of the sources; nil for those that are left out
	destID     vfs.ID
	routes     content.Routes
	volumes    volume.Table
	profiles   profiles
	attrPolicy *attrs.Policy
	selector   *source.Selector
	backups    *backup.Store
	lifter     *attrs.Lifter
	mirror     mirror.Config
	postponed  postponed
	dirlinks   dirlinks
	newTemp    func() string // returns a name for a temporary
	reporting
	locking
}

// profiles are what is known of the systems that the two sides are on.
type profiles struct{ source, dest *metadata.Profile }

func (p profiles) of(s pairs.Side) *metadata.Profile {
	if s == pairs.Dest {
		return p.dest
	}
	return p.source
}

// A jobWorker deals with one directory at a time.
type jobWorker struct {
	*jobRun
	count   *report.Counter
	copier  content.Copier
	attrs   attrs.Setter
	remover mirror.Remover
	doing   *report.WorkerActivity // what this worker does, for others to see
}

// newWorker returns a new worker.
func (r *jobRun) newWorker() *jobWorker {
	w := &jobWorker{
		jobRun: r,
		count:  r.Stats.Counter(),
		copier: content.Copier{Options: r.Content, Durable: true},
		attrs:  attrs.Setter{Policy: r.attrPolicy},
		doing:  r.Activity.AddWorker(),
	}
	w.remover = mirror.Remover{Config: &r.mirror, Reporter: removalReporter{w}, Copier: &w.copier, Activity: w.doing}
	return w
}

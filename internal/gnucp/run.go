package gnucp

import (
	"sync"
	"sync/atomic"

	"psync/internal/gnucp/attrs"
	"psync/internal/gnucp/contents"
	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/walk"
)

// run is the state that the workers share.
type run struct {
	Job
	shared  *contents.Shared
	copies  copies
	dirs    walk.Cache[bothSides]
	atWork  atomic.Pointer[pool] // the running pool, or nil
	inTurn  *worker              // executes what had to wait for its turn
	flawed  atomic.Bool          // an entry of a tree failed
	scanned sync.Map             // the access times, by vfs.ID, that directories had before they were scanned

	listsSources bool // several operands go into one directory
	merges       bool // an operand went into an existing directory of its name
	sources      entry.FileSet
	dests        entry.FileSet
}

func newRun(j Job) *run {
	r, user := &run{Job: j}, j.Host.Info().User
	r.shared = &contents.Shared{
		Setter: attrs.Setter{Options: &r.Options, Root: user.Privileged(), Umask: localfs.Host{}.Umask()},
		UID:    user.UID, GID: user.GID,
		Cutoff: rangesFrom,
		Forks:  j.Forks, NewTemporary: j.NewTemporary, Abandoned: j.Abandoned,
	}
	r.dirs.Limit = affordableDirs()
	r.inTurn = r.worker()
	return r
}

// A worker copies one entry at a time.
type worker struct {
	*run
	files *contents.Copier
	count *report.Counter
}

func (r *run) worker() *worker {
	count := r.Stats.Counter()
	return &worker{run: r, count: count, files: contents.NewCopier(r.shared, count, r.shareRanges)}
}

// note records a failure if ok is false.
func (r *run) note(ok bool) {
	if !ok {
		r.flawed.Store(true)
	}
}

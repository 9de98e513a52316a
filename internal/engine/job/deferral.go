package job

import (
	"strings"
	"sync"

	"psync/internal/metadata"
)

// A Deferral holds operations that must wait until a directory or file needs no further work: operations that take
// rights from the owner or lock the entry, and times that other work could change.
type Deferral struct {
	Dir  *DirInfo
	Name string // of a file in it, or "" for the directory itself
	Ops  []metadata.Op
}

// Depth returns how far below the root of its source the directory is.
func (m Deferral) Depth() int {
	if m.Dir.Task.Path == "" {
		return 0
	}
	return 1 + strings.Count(m.Dir.Task.Path, "/")
}

// Locks are the deferrals that wait until no file gets further names.
type Locks struct {
	mu  sync.Mutex // guards All
	All []Deferral
}

// DeferLocks defers operations that lock an entry of d to the end of the run, since it may get further names.
func (r *Run) DeferLocks(d *Dir, name string, ops []metadata.Op) {
	if len(ops) == 0 {
		return
	}
	r.Locks.mu.Lock()
	defer r.Locks.mu.Unlock()
	d.Remaining.Add(1)
	r.Locks.All = append(r.Locks.All, Deferral{d.DirInfo, name, ops})
}

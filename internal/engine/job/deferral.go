package job

import "psync/internal/metadata"

// A Deferral holds operations that must wait until a directory or file needs no further work: operations that take
// rights from the owner or lock the entry, and times that other work could change.
type Deferral struct {
	Dir  *Dir
	Name string // of a file in it, or "" for the directory itself
	Ops  []metadata.Op
}

// DeferLocks defers operations that lock an entry of d to the end of the run, since it may get further names.
func (r *Run) DeferLocks(d *Dir, name string, ops []metadata.Op) {
	if len(ops) > 0 {
		r.ApplyLast(&Deferral{d, name, ops})
	}
}

package engine

import (
	"strings"
	"sync"

	"psync/internal/metadata"
)

// A deferral is what has to wait until nothing needs to be done any more in a
// directory, or to a file: operations by which the owner loses rights, or which lock it, and
// times that what others do could change.
type deferral struct {
	d    *dirInfo
	name string // of a file in it, or "" for the directory itself
	ops  []metadata.Op
}

func (m deferral) depth() int {
	if m.d.task.Path == "" {
		return 0
	}
	return 1 + strings.Count(m.d.task.Path, "/")
}

// locking is what has to wait until no file gets further names.
type locking struct {
	lockMu sync.Mutex // guards what follows
	locked []deferral
}

// deferLocks leaves operations that lock an entry of d to the end of the run, for it may get further names.
func (w *jobWorker) deferLocks(d *jobDir, name string, ops []metadata.Op) {
	if len(ops) == 0 {
		return
	}
	w.lockMu.Lock()
	defer w.lockMu.Unlock()
	w.locked = append(w.locked, deferral{d.dirInfo, name, ops})
}

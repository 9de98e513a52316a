package engine

import (
	"errors"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var (
	errChangedDuringCopy = errors.New("changed while it was copied, so the copy may be a mixture; the next sync copies it again")
	errChangedCompared   = errors.New("changed while it was compared")
)

// unchangedSince reports whether a file of the source is unchanged since it had the attributes attr. For a
// comparison of trees, a change is an error.
func (w *worker) unchangedSince(d *directory, src vfs.File, attr vfs.Attr) (bool, error) {
	change, _, err := changed.Since(src, attr, d.srcVolume.Network)
	same := change == plan.Unchanged
	if err == nil && !same && w.Compare {
		err = errChangedCompared
	}
	if err != nil {
		err = &content.ReadError{Err: err}
	}
	return same, err
}

package engine

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var (
	errChangedDuringCopy = errors.New("changed while it was copied, so the copy may be a mixture; the next sync copies it again")
	errChangedLeftOut    = errors.New("changed while it was copied, so it was left out")
	errChangedCompared   = errors.New("changed while it was compared")
)

// ensureUnchanged checks that from has not changed while it was copied to dst. If only its change time
// has moved, it copies the file again, since the contents may have changed as well. If the file
// keeps changing, it reports so, and the copy is to get a modification time that no later run
// takes for up to date; where later runs do not compare times, ensureUnchanged returns an error.
func (w *worker) ensureUnchanged(ctx context.Context, d *directory, dst vfs.File, from origin) (partial bool, err error) {
	far := d.srcVolume.Network
	for again := 0; ; again++ {
		change, now, _ := changed.Since(from.File, from.attr, far) // what cannot be found out counts as a change
		outcome := w.Policy.AfterCopy(change, again)
		switch outcome {
		case plan.Complete:
			return false, nil
		case plan.CopyAgain:
			from.attr.Ctime = now.Ctime
			if err := w.recopy(ctx, d, dst, from); err != nil {
				return true, err
			}
			continue
		}
		if outcome == plan.Discard {
			err = &content.ReadError{Err: errChangedLeftOut}
		}
		return true, err
	}
}

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

// recopy copies the contents of from once more.
func (w *worker) recopy(ctx context.Context, d *directory, dst vfs.File, from origin) error {
	w.copier.Quiet = true // the statistics count it only once
	defer func() { w.copier.Quiet = false }()
	return w.copier.Overwrite(ctx, dst, from.File, from.attr, d.route)
}

package engine

import (
	"errors"
	"io/fs"

	"psync/internal/engine/dirnames"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// leadsToDir reports whether the link called name in dir leads to a directory.
func leadsToDir(dir vfs.Dir, name string) bool {
	attr, err := dir.Stat(name)
	return err == nil && attr.Mode.IsDir()
}

// there returns the attributes of what the destination has under name. Where it
// has nothing, their type is [plan.Absent].
func (w *jobWorker) there(d *jobDir, name string) (vfs.Attr, error) {
	if d.fresh() || d.Dst == nil {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	// Far away a look is a round trip, but a name that was not listed may still lead to an
	// entry that is spelled in another way.
	if d.farDest && d.had != nil && !d.had.Has(name) && !w.Policy.Existing && dirnames.IsPlain(name) && !w.ignoresCase(d) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	attr, err := d.Dst.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	return attr, err
}

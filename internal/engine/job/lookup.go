package job

import (
	"errors"
	"io/fs"

	"psync/internal/engine/dirnames"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// LeadsToDir reports whether the link called name in dir leads to a directory.
func LeadsToDir(dir vfs.Dir, name string) bool {
	attr, err := dir.Stat(name)
	return err == nil && attr.Mode.IsDir()
}

// Lookup returns the attributes of what the destination has under name. If it has nothing, their type is
// [plan.Absent].
func (w *Worker) Lookup(d *Dir, name string) (vfs.Attr, error) {
	if d.Fresh() || d.Dst == nil {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	// On a remote volume each lookup is a round trip, but a name that was not listed may still lead to an entry with
	// another spelling.
	if d.FarDest && d.Had != nil && !d.Had.Has(name) && !w.Policy.Existing && dirnames.IsPlain(name) && !w.IgnoresCase(d) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	attr, err := d.Dst.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	return attr, err
}

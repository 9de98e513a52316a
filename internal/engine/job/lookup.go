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
	attr, err := dir.Statx(name, vfs.StatxFollow)
	return err == nil && attr.Mode.IsDir()
}

// Lookup returns the attributes of what the destination has under name. If it has nothing, their type is
// [plan.Absent]. They may be as old as the listing of the directory, unless files of the source are removed because the
// destination has them: what is removed, or replaced for --update, is checked again then.
func (w *Worker) Lookup(d *Dir, name string) (vfs.Attr, error) {
	if d.Fresh() || d.Dst == nil {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	if f := d.Had.find(name); f != nil && !w.Run.Job.RemoveSource && !w.Run.Listings.isChanged(f.Attr) {
		return f.Attr, nil
	}
	if d.FarDest && d.Had != nil && !d.Had.Has(name) && (dirnames.IsPlain(name) || d.DstVolume.IsExact()) && w.distinguishesCase(d) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	attr, err := vfs.Lstat(d.Dst, name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	return attr, err
}

// distinguishesCase reports whether a name that the listing of a remote destination lacks cannot lead to an entry with
// another spelling. Finding that out saves a round trip for each such name.
func (w *Worker) distinguishesCase(d *Dir) bool {
	if w.Run.Job.DryRun || w.Run.Job.Policy.Existing { // nothing may be, or need be, made for a probe
		return d.DstVolume.IsExact()
	}
	return !w.IgnoresCase(d)
}

package mirror

import (
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

// Operands looks up the entries of d, the directory of rm, that the user has named. It returns the removals of the
// directories, and the other entries.
func Operands(j *job.Worker, d *job.Dir, rm *Removal, names []string) (dirs []*Removal, others []vfs.Entry) {
	if attr, err := vfs.Lstat(d.Dst, "."); err == nil {
		d.DestAttr = attr
		setVolume(j, d)
	}
	for _, name := range names {
		attr, err := vfs.Lstat(d.Dst, name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was in another operand
		case err != nil:
			Failed(j, d, rm.Premise, vfs.Entry{Name: name}, err)
		case attr.Mode.IsDir():
			dirs = append(dirs, rm.Child(name, attr.Dev))
		default:
			others = append(others, vfs.Entry{Name: name, Type: attr.Mode.Type()})
		}
	}
	return dirs, others
}

package entry

import (
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

// CopyEmptyDir copies an empty directory of d if one call is enough, and reports whether it made the copy. Anything
// else is left to the general method. If it made the directory but could not complete it, the directory must be
// copied as one that this run made.
func (w *Worker) CopyEmptyDir(d *job.Dir, name string) (made, complete bool) {
	if w.shortcut.of != d || !w.shared.copiesEmptyDirs || !d.Fresh() || d.DestAttr.Mode&fs.ModeSetgid != 0 {
		return false, false
	}
	o := &w.shortcut.plain
	o.Dirs = vfs.EmptyDirOptions{
		Mtime:    w.job.Keep.For(fs.ModeDir).Mtime,
		Dev:      d.Attr.Dev,
		Except:   w.job.DestID,
		NoXattrs: w.job.Keep.Xattrs || w.job.Keep.ACLs,
	}
	err := d.Dst.CopyEmptyDir(d.Src, name, o)
	return err == nil || errors.As(err, new(*vfs.PartialError)), err == nil
}

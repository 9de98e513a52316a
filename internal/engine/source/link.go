package source

import (
	"errors"
	"io/fs"

	"psync/internal/plan"
	"psync/internal/vfs"
)

// link returns the type that a symbolic link of d is copied as, or the reason why it is not copied.
func (s *Selector) link(d vfs.Dir, in Scope, e vfs.Entry) (fs.FileMode, Omission) {
	name := e.Name
	target := ""
	if s.links.NeedsTarget() {
		var err error
		if target, err = e.Readlink(d); err != nil {
			return 0, Omission{Name: name, Err: err}
		}
	}
	switch s.links.CopyAs(target, in.Path) {
	case plan.AsLink:
		return fs.ModeSymlink, Omission{}
	case plan.AsTargetIfDir:
		if attr, err := Stat(d, e, true); err != nil || !attr.Mode.IsDir() {
			return fs.ModeSymlink, Omission{}
		}
	case plan.OmitUnsafe:
		return 0, Omission{Name: name, Target: target, Err: ErrUnsafe}
	}
	attr, err := Stat(d, e, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errDangling // otherwise it would look like an entry that has vanished
	case err == nil && attr.Mode.IsDir() && in.Lineage.includes(attr.ID()):
		err = errLoop
	}
	if err != nil {
		return 0, Omission{Name: name, Err: err}
	}
	return attr.Mode.Type(), Omission{}
}

// Stat returns the attributes of an entry, or of its target if it is a link and follow is true. It asks the volume only
// for what the listing did not say.
func Stat(dir vfs.Dir, e vfs.Entry, follow bool) (vfs.Attr, error) {
	if attr, known := e.Attr(follow); known {
		return attr, nil
	}
	if follow {
		return dir.Statx(e.Name, vfs.StatxFollow)
	}
	return vfs.Lstat(dir, e.Name)
}

// Look is Stat with an answer from the volume itself: see [vfs.Dir].
func Look(dir vfs.Dir, name string, follow bool) (vfs.Attr, error) {
	attr, err := dir.Statx(name, vfs.StatxFresh)
	if err == nil && attr.Mode.Type() == fs.ModeSymlink && follow {
		return dir.Statx(name, vfs.StatxFollow)
	}
	return attr, err
}

// OpenFile opens a file. It follows a link if follow is true.
func OpenFile(dir vfs.Dir, name string, follow bool) (vfs.File, error) {
	if follow {
		return dir.OpenFile(name, vfs.ReadFollow, 0)
	}
	return dir.OpenFile(name, vfs.ReadOnly, 0)
}

// OpenDir opens a directory. It follows a link if follow is true.
func OpenDir(in vfs.Dir, name string, follow bool) (vfs.Dir, error) {
	if follow {
		return in.OpenDir(name, vfs.Follow)
	}
	return in.OpenDir(name, vfs.NoFollow)
}

// A Lineage is a directory of the source and its ancestors, up to the root. It is used to detect links that lead back
// to one of them. A nil *Lineage has no directories.
type Lineage struct {
	id vfs.ID
	up *Lineage
}

// Child returns the lineage of a subdirectory of the directory that l ends with.
func (l *Lineage) Child(id vfs.ID) *Lineage { return &Lineage{id, l} }

func (l *Lineage) includes(id vfs.ID) bool {
	for ; l != nil; l = l.up {
		if l.id == id {
			return true
		}
	}
	return false
}

package attrs

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// Force calls do, an operation on the entry called name. If do fails because permission is denied, Force
// lifts the locks and ACLs of the entry and calls do again.
func (f *Lifter) Force(do func() error, in vfs.Dir, name string) error {
	err := do()
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	h := f.Hold(in, name)
	if h == nil {
		return err
	}
	return vfs.JoinErrors(h.Try(do), h.Release())
}

// Remove removes an entry that is not a directory, provided it still is what only describes or only is nil.
func (f *Lifter) Remove(in vfs.Dir, name string, only *vfs.Premise) error {
	return f.Force(func() error { return in.Remove(name, only) }, in, name)
}

// Rmdir removes an empty directory.
func (f *Lifter) Rmdir(in vfs.Dir, name string) error {
	return f.Force(func() error { return in.Rmdir(name) }, in, name)
}

// Rename renames an entry to a name that is not in use.
func (f *Lifter) Rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	return f.Force(func() error { return vfs.Rename(from, oldname, to, newname, nil) }, from, oldname)
}

// RenameOver replaces an entry with temp, a name in the directory from. If only is not nil, the entry must be what it
// describes. The new entry does not have locks yet, nor an ACL that prevents renaming it.
func (f *Lifter) RenameOver(from vfs.Dir, temp string, to vfs.Dir, name string, only *vfs.Premise) error {
	return f.Force(func() error { return vfs.Rename(from, temp, to, name, only) }, to, name)
}

// Link makes newname another name of an entry.
func (f *Lifter) Link(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	return f.Force(func() error { return to.Link(from, name, newname) }, from, name)
}

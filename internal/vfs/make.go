package vfs

import (
	"errors"
	"io/fs"
)

// A Spec describes an entry that [Dir].Make makes.
type Spec struct {
	Mode   fs.FileMode // the type, and the rwx bits, whatever the umask; a symbolic link has no bits of its own
	Target string      // of a symbolic link
	Dev    uint64      // the number of a device, as mknod(2) takes it
	// Async lets Make return before it is known whether it has made a directory, if the caps have CanMkdirAsync. If it has
	// not, opening the directory returns the error, or Lstat(".") of what that returns: a directory may be opened, and
	// entries made in it, before the result is known.
	Async bool
}

// A NewDir describes a directory that [Dir].MakeDirs makes.
type NewDir struct {
	Name    string
	Perm    fs.FileMode // the rwx bits that it is made with, whatever the umask
	Changes []Change
}

// Make makes the directory in d, and changes it.
func (n *NewDir) Make(d Dir) error {
	if err := Mkdir(d, n.Name, n.Perm); err != nil {
		return err
	}
	if err := errors.Join(d.Set(n.Name, n.Changes)...); err != nil {
		return &PartialError{Err: err}
	}
	return nil
}

// Op returns the name of the usual function that makes such an entry, for errors.
func (s Spec) Op() string {
	switch s.Mode.Type() {
	case fs.ModeDir:
		return "mkdir"
	case fs.ModeSymlink:
		return "symlink"
	}
	return "mknod"
}

// Mkdir makes a directory with the given rwx bits.
func Mkdir(d Dir, name string, perm fs.FileMode) error {
	return d.Make(name, Spec{Mode: fs.ModeDir | perm.Perm()})
}

// Symlink makes a symbolic link called name that points to target.
func Symlink(d Dir, target, name string) error {
	return d.Make(name, Spec{Mode: fs.ModeSymlink, Target: target})
}

// Mknod makes a fifo, socket or device of the type and with the rwx bits of mode.
func Mknod(d Dir, name string, mode fs.FileMode, dev uint64) error {
	return d.Make(name, Spec{Mode: mode, Dev: dev})
}

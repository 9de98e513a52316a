package vfs

import "errors"

// Link makes newname in the directory to another name of an entry of from, if to is a [Linker].
func Link(from Dir, name string, to Dir, newname string) error {
	if l, ok := to.(Linker); ok {
		return l.Link(from, name, newname)
	}
	return errors.ErrUnsupported
}

// Rename renames an entry, into another directory if from is a [Mover].
func Rename(from Dir, oldname string, to Dir, newname string) error {
	if from == to {
		return from.Rename(oldname, newname)
	}
	if m, ok := from.(Mover); ok {
		return m.Move(oldname, to, newname)
	}
	return errors.ErrUnsupported
}

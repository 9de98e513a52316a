package cli

import (
	"errors"
	"io/fs"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/vfs"
)

// maxOpenSources is how many source directories may stay open from the start. If a command line has
// more, none does, and the run opens each again when it gets there.
const maxOpenSources = 8

// addSource opens a directory that is an operand or has operands in it, and adds it to the sources.
func (r *roots) addSource(open func(string) (vfs.Dir, error), p operand.Placement, keepOpen bool) error {
	s := engine.Source{Label: p.Dir, Names: p.Names, Into: p.Into}
	dir, id, err := openSame(open, p.Dir, vfs.ID{})
	if err != nil {
		return err
	}
	r.networkSource = r.networkSource || isNetwork(dir)
	if keepOpen {
		s.Dir = dir
	} else {
		dir.Close()
		s.Open = func() (vfs.Dir, error) {
			dir, _, err := openSame(open, p.Dir, id)
			return dir, err
		}
	}
	r.sources = append(r.sources, s)
	return nil
}

var errOtherDir = errors.New("was replaced by another directory since the operands were looked at")

// openSame opens the directory at path and returns its identity. Unless want is zero, it is an error if
// that is another one.
func openSame(open func(string) (vfs.Dir, error), path string, want vfs.ID) (vfs.Dir, vfs.ID, error) {
	dir, err := open(path)
	if err != nil {
		return nil, vfs.ID{}, err
	}
	attr, err := dir.Lstat(".")
	id := attr.ID()
	if err == nil && want != (vfs.ID{}) && id != want {
		err = &fs.PathError{Op: "open", Path: path, Err: errOtherDir}
	}
	if err != nil {
		dir.Close()
		return nil, vfs.ID{}, err
	}
	return dir, id, nil
}

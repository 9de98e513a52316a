package agent

import (
	"sync"
	"syscall"

	"psync/internal/vfs"
)

var errBadHandle = syscall.EBADF

// An object is what a handle stands for: an open directory or file.
type object struct {
	dir  vfs.Dir
	file vfs.File
	dirFacts

	// What follows is that of a file that was opened for writing.

	in         vfs.Dir // where it is called name
	name       string
	id         vfs.ID // or zero, if it is not known yet
	unfinished bool   // it is removed unless it is stored
	spoiled    error  // why its contents are not what was written
	// copying is held while a range of another file is copied to it: a file system lets one at a time write into a
	// file, and others would spin.
	copying *sync.Mutex
}

// dirFacts are what directories below one need not ask for again.
type dirFacts struct {
	dev    uint64
	volume vfs.Volume
}

// directory returns the directory that o is, which may be nil.
func (o *object) directory() (vfs.Dir, error) {
	switch {
	case o == nil:
		return nil, errBadHandle
	case o.dir == nil:
		return nil, syscall.ENOTDIR
	}
	return o.dir, nil
}

// openFile returns the file that o is.
func (o *object) openFile() (vfs.File, error) {
	if o == nil || o.file == nil {
		return nil, errBadHandle
	}
	return o.file, nil
}

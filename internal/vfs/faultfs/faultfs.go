// Package faultfs wraps a [vfs.Dir] so that its operations fail, or take time. Only tests import it.
package faultfs

import (
	"fmt"
	"sync"

	"psync/internal/vfs"
)

// New returns a Dir that calls f before every operation on d and on all
// directories and files opened through it. An error of f is returned instead of
// doing the operation, as a *fs.PathError; but a "write" or "writexattr" writes half
// of its bytes first, and a handle is closed whatever f says. A nil f changes nothing.
// The operations may be concurrent, and so may be the calls of f.
//
// Those of a directory are called "lstat", "readdir", "opendir", "open", "create",
// "mkdir", "symlink", "readlink", "rename" (with the new name), "remove", "rmdir",
// "chmod", "lchown", "chtimes" and "close", and where d offers them "sync", "stat",
// "followdir", "followfile", "openparent", "link" and "move" (both with the new name),
// "rewrite", "node", "mknod" and "clonefile" (with the new name). Those of a file, with
// the name it was opened by, are "stat", "read", "write", "truncate", "fchmod",
// "fchown", "fchtimes", "clone", "copyrange", "nextdata", "punchhole", "preallocate", "fsync", and
// "fclose" for a file opened by Create, Rewrite or CloneFile, or "rclose" for one opened for reading.
// Those of a Node, which a file may be, are "stat", "fchmod", "fchown", "fchtimes",
// "setbtime", "flags", "setflags", "xattrs", "xattr", "setxattr", "removexattr",
// "xattrsize", "readxattr", "writexattr", and "nclose" unless it is a file.
//
// What d and its files do not offer, f does not hear of.
func New(d vfs.Dir, f func(op, name string) error) vfs.Dir {
	return &hookedDir{Dir: d, place: place{".", byName(f)}}
}

// Without returns a Dir that lacks some of what d and all that is opened through it offer.
func Without(d vfs.Dir, caps vfs.Caps) vfs.Dir {
	return &hookedDir{Dir: d, place: place{path: "."}, lacks: caps}
}

// Changing reports whether an operation of the given name changes the file system.
// The close of a written file is one: it may be the first to tell of lost contents.
// So is "rewrite", as "create" is: a run that makes no changes has no use for either.
func Changing(op string) bool {
	switch op {
	case "create", "mkdir", "symlink", "rename", "remove", "rmdir", "chmod", "lchown", "chtimes",
		"link", "move", "rewrite", "mknod", "clonefile",
		"write", "truncate", "fchmod", "fchown", "fchtimes", "clone", "copyrange", "punchhole", "preallocate", "fsync", "sync", "fclose",
		"setbtime", "setflags", "setxattr", "removexattr", "writexattr":
		return true
	}
	return false
}

// A FailNth fails one changing operation. Its Before is for [New]; several
// Dirs may share it. All methods are safe for concurrent use.
type FailNth struct {
	n   int
	err error

	mu     sync.Mutex // guards what follows
	seen   int
	failed string // the operation that failed
}

// NewFailNth returns a FailNth that fails the n-th changing operation, counted
// from 1, with err.
func NewFailNth(n int, err error) *FailNth {
	return &FailNth{n: n, err: err}
}

// Before counts an operation and returns the error if it is the n-th.
func (f *FailNth) Before(op, name string) error {
	if !Changing(op) {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen++
	if f.seen != f.n {
		return nil
	}
	f.failed = fmt.Sprintf("%s %q", op, name)
	return f.err
}

// N returns which operation fails.
func (f *FailNth) N() int { return f.n }

// Err returns the error that it fails with.
func (f *FailNth) Err() error { return f.err }

// Reached reports whether the operation came and has failed.
func (f *FailNth) Reached() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen >= f.n
}

// String tells which operation failed, for messages of tests.
func (f *FailNth) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == "" {
		return fmt.Sprintf("changing operation %d (not reached, saw %d)", f.n, f.seen)
	}
	return fmt.Sprintf("changing operation %d (%s)", f.n, f.failed)
}

// Package faultfs wraps a [vfs.Dir] so that its operations fail, or take time. Only tests import it.
package faultfs

import (
	"time"

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
// "chmod", "chown", "chtimes", "sync", "openparent", "move" (with the new name), "close", "stat",
// "followdir", "followfile" and "rewrite", and where d offers them "link" (with the new name),
// "node", "mknod" and "clonefile" (with the new name). Those of a file, with
// the name it was opened by, are "stat", "read", "write", "truncate", "fchmod",
// "fchown", "fchtimes", "clone", "copyrange", "nextdata", "punchhole", "preallocate", "fsync", and
// "fclose" for a file opened for writing or by CloneFile, or "rclose" for one opened for reading.
// Those of a Node, which a file may be, are "stat", "fchmod", "fchown", "fchtimes",
// "setbtime", "flags", "chflags", "xattrs", "xattr", "setxattr", "removexattr",
// "xattrsize", "readxattr", "writexattr", and "nclose" unless it is a file.
//
// f is not called for what the caps of d and its files say that they do not offer.
func New(d vfs.Dir, f func(op, name string) error) vfs.Dir {
	if f == nil {
		return wrap(d, nil, 0)
	}
	return wrap(d, func(op string, at place) error { return f(op, at.name) }, 0)
}

func wrap(d vfs.Dir, h hook, lacks vfs.Caps) vfs.Dir {
	return &hookedDir{Dir: d, self: &place{name: "."}, hook: h, lacks: lacks}
}

// NewLatency returns a Dir that sleeps before each operation on d and on all
// directories and files opened through it, as a network file system does.
// Concurrent operations sleep at the same time; closing a directory or a Node is free.
func NewLatency(d vfs.Dir, perOp time.Duration) vfs.Dir {
	return New(d, func(op, _ string) error {
		if op != "close" && op != "nclose" {
			time.Sleep(perOp)
		}
		return nil
	})
}

// Without returns a Dir that lacks some of what d and all that is opened through it offer.
func Without(d vfs.Dir, caps vfs.Caps) vfs.Dir {
	return wrap(d, nil, caps)
}

// Changing reports whether an operation of the given name changes the file system.
// The close of a written file is one: it may be the first to report lost contents.
// So is "rewrite", as "create" is: a run that makes no changes has no use for either.
func Changing(op string) bool {
	for k := vfs.OwnerChange; k <= vfs.XattrPiece; k++ {
		if name := k.String(); op == name || k <= vfs.TimesChange && op == "f"+name {
			return true
		}
	}
	switch op {
	case "create", "mkdir", "symlink", "rename", "remove", "rmdir", "link", "move", "rewrite", "mknod", "clonefile",
		"write", "truncate", "clone", "copyrange", "punchhole", "preallocate", "fsync", "sync", "fclose":
		return true
	}
	return false
}

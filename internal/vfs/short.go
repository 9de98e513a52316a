package vfs

import (
	"errors"
	"io/fs"
	"math"
)

// ErrNotPlain says that [Dir].CopyPlain or CopyEmptyDir has done nothing, because an entry is to be copied by the general
// methods.
var ErrNotPlain = errors.New("is not plain")

// PlainOptions say which files [Dir].CopyPlain copies, and which directories CopyEmptyDir does, and what is kept of them
// besides contents and rwx bits.
type PlainOptions struct {
	// ChangedBefore is when a file must have changed last. It must be so long ago when CopyPlain is called that
	// a file which changes from then on gets a later time: then one look, after reading, shows that it has not
	// changed while it was read.
	ChangedBefore Stamp
	Mtime         bool // the modification time is kept
	// Atime says that both times are kept, the access time as it was before the file is read. CopyPlain then looks at
	// the file only before it reads it, and notices a change meanwhile only by the length.
	Atime bool
	// Umask holds those of the bits which the process clears in the modes of new files that CopyPlain is to set.
	Umask fs.FileMode
	// Owned says that files of another owner or group than UID and GID are not plain.
	Owned    bool
	UID, GID uint32
	// IgnoresXattr reports whether a file with the extended attribute name, which is not copied, is plain. If it is nil,
	// CopyPlain does not look for such attributes.
	IgnoresXattr func(name string) bool
	// Buf is for the contents, and must be longer than any file that is plain.
	Buf []byte
	// LookFirst has CopyPlain find out whether the file is plain before it reads it. That pays where files are
	// likely to be too long.
	LookFirst bool
	// Dirs say which directories CopyEmptyDir copies.
	Dirs EmptyDirOptions
}

// EmptyDirOptions say which directories [Dir].CopyEmptyDir copies, and what it keeps of them.
type EmptyDirOptions struct {
	Mtime  bool   // the modification time is kept
	Dev    uint64 // the file system that a directory must be on
	Except ID     // a directory that is not copied
	// NoXattrs says that none is that has extended attributes, but those that IgnoresXattr returns true for.
	NoXattrs bool
}

// QuickCheckOptions say which files are equal to [Dir].QuickCheck, though some of their attributes are not compared.
type QuickCheckOptions struct {
	OneName bool // none that has other names
	// NoXattrs says that none is that has extended attributes, but those that IgnoresXattr returns true for.
	NoXattrs     bool
	IgnoresXattr func(name string) bool
}

// UsualTime reports whether a time, in seconds since 1970, is one that every file system of Unix can store: until 2038,
// when signed numbers of 32 bits end.
func UsualTime(sec int64) bool { return sec >= 0 && sec <= math.MaxInt32 }

// A PartialError says that [Dir].CopyPlain, or CopyEmptyDir, has made an entry but could not complete it. The entry is
// still there.
type PartialError struct {
	ID  ID // of the entry, or zero if it is unknown
	Err error
}

func (e *PartialError) Error() string { return e.Err.Error() }

func (e *PartialError) Unwrap() error { return e.Err }

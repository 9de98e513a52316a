package vfs

import (
	"errors"
	"math"
)

// ErrNotPlain says that [Dir].CopyPlain has done nothing, because a file is to be copied by the general methods.
var ErrNotPlain = errors.New("is no plain file")

// PlainOptions say which files [Dir].CopyPlain copies, and what it keeps of them besides contents and rwx bits.
type PlainOptions struct {
	// ChangedBefore is when a file must have changed last. It must be so long ago when CopyPlain is called that
	// a file which changes from then on gets a later time: then one look, after reading, shows that it has not
	// changed while it was read.
	ChangedBefore Stamp
	Mtime         bool // the modification time is kept
	// Owned says that files of another owner or group than UID and GID are not plain.
	Owned    bool
	UID, GID uint32
	// IgnoresXattr reports whether a file with the extended attribute name, which is not copied, is plain.
	IgnoresXattr func(name string) bool
	// Buf is for the contents, and must be longer than any file that is plain.
	Buf []byte
	// LookFirst has CopyPlain find out whether the file is plain before it reads it. That pays where files are
	// likely to be too long.
	LookFirst bool
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

// A PartialError says that [Dir].CopyPlain has made a file but could not complete it. The file is still there.
type PartialError struct {
	ID  ID // of the file, or zero if it is unknown
	Err error
}

func (e *PartialError) Error() string { return e.Err.Error() }

func (e *PartialError) Unwrap() error { return e.Err }

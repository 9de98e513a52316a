package vfs

import (
	"errors"
	"io/fs"
	"math"
	"time"
)

// ErrNotPlain says that [Dir].CopyPlain has done nothing, because the entry must be copied by the
// general methods.
var ErrNotPlain = errors.New("is not plain")

// PlainOptions say which files and empty directories [Dir].CopyPlain copies, and what is kept of
// them in addition to contents and rwx bits.
type PlainOptions struct {
	// ChangedBefore is the time before which a plain file last changed. It must be so long ago that a file which
	// changes after CopyPlain is called gets a later time. Then a single stat, after reading, shows that the file did
	// not change while it was read. A change time in whole seconds may be rounded: then it must be two seconds earlier.
	ChangedBefore Stamp
	Mtime         bool // the modification time is kept
	// Atime says that both times are kept, the access time as it was before the entry is read. CopyPlain then calls stat
	// only before it reads a file, and notices a change during the copy only by the length.
	Atime bool
	// Umask holds the permission bits that the process's umask clears in new files and that CopyPlain must set itself.
	// A directory with such bits is not plain.
	Umask fs.FileMode
	// Owned says that files whose owner or group differs from UID and GID are not plain.
	Owned    bool
	UID, GID uint32
	// IgnoresXattr reports whether a file may have the extended attribute name and still be plain; the attribute is not
	// copied. If IgnoresXattr is nil, CopyPlain does not look for extended attributes.
	IgnoresXattr func(name string) bool
	// Buf holds the contents while they are copied. A plain file is shorter than Buf.
	Buf []byte
	// LookFirst makes CopyPlain check whether the file is plain before reading it. That pays off where files are likely
	// to be too long.
	LookFirst bool
	// Dir is not nil if the entry is a directory, of which CopyPlain copies an empty one.
	Dir *EmptyDirOptions
}

// IsAtRest reports whether a file with the change time ctime last changed before ChangedBefore.
func (o *PlainOptions) IsAtRest(ctime Stamp) bool {
	if ctime%Stamp(time.Second) == 0 {
		ctime += Stamp(2 * time.Second) // the coarsest steps of times on disk, those of FAT
	}
	return ctime < o.ChangedBefore
}

// EmptyDirOptions say which directories [Dir].CopyPlain copies, and what it keeps of them.
type EmptyDirOptions struct {
	Mtime  bool          // the modification time is kept
	Dev    uint64        // the file system that a directory must be on
	Except func(ID) bool // reports whether a directory is one of those that are not copied
	// NoXattrs excludes entries with extended attributes other than those that IgnoresXattr returns true for.
	NoXattrs bool
}

// QuickCheckOptions say which files [Dir].QuickCheck may report as equal, although it does not compare all attributes.
type QuickCheckOptions struct {
	OneName bool // exclude files that have other names
	// NoXattrs excludes entries with extended attributes other than those that IgnoresXattr returns true for.
	NoXattrs     bool
	IgnoresXattr func(name string) bool
}

// UsualTime reports whether a time, in seconds since 1970, is one that every Unix file system can store: one until
// 2038, when signed 32-bit numbers overflow.
func UsualTime(sec int64) bool { return sec >= 0 && sec <= math.MaxInt32 }

// A PartialError says that [Dir].CopyPlain, or MakeDirs, made an entry but could not complete it. The entry is still
// there.
type PartialError struct {
	ID  ID // of the entry, or zero if it is unknown
	Err error
}

func (e *PartialError) Error() string { return e.Err.Error() }

func (e *PartialError) Unwrap() error { return e.Err }

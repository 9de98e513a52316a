package vfs

import (
	"io/fs"
	"time"
)

// Attr holds the attributes of an entry.
type Attr struct {
	Mode     fs.FileMode // type, rwx, set-id and sticky bits
	Flags    uint32      // of chflags(2); 0 if stat(2) does not report them
	Size     int64       // bytes; for a symbolic link the length of its target
	Blocks   int64       // allocated, in units of 512 bytes; negative if unknown
	UID, GID uint32
	Atime    time.Time
	Mtime    time.Time
	Ctime    Stamp // of the last change of contents or attributes
	Dev, Ino uint64
	Nlink    uint64
	Rdev     uint64    // of a device, as mknod(2) takes it
	Btime    time.Time // of creation; zero if stat(2) does not report it
}

// A Stamp is a time in nanoseconds since 1970, or zero if there is none. It is used for times that only the system
// sets. It is a third of the size of a [time.Time], which matters because the attributes of every entry of a tree have
// one.
type Stamp int64

// StampOf returns t as a Stamp.
func StampOf(t time.Time) Stamp {
	if t.IsZero() {
		return 0
	}
	return Stamp(t.UnixNano())
}

// Time returns s as a time, or the zero time if s is zero.
func (s Stamp) Time() time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(0, int64(s))
}

// ID identifies an entry among those of all hosts; see [HostDev].
type ID struct{ Dev, Ino uint64 }

// ID returns the identity of the entry that a describes.
func (a Attr) ID() ID { return ID{a.Dev, a.Ino} }

// A ChangeKind says which attribute a [Change] sets.
type ChangeKind uint8

// The kinds of changes. Hosts send them to each other, so a kind keeps its number.
const (
	NoChange    ChangeKind = iota // nothing; it keeps a place among the changes
	OwnerChange                   // owner and group
	ModeChange                    // permission, set-id and sticky bits
	TimesChange                   // access and modification times
	BtimeChange                   // creation time
	FlagsChange                   // all flags
	XattrChange                   // an extended attribute, whether or not it exists
	XattrRemoval
	XattrPiece // a part of an extended attribute that may be too long to be held in memory, as io.WriterAt
)

// String returns the name of the usual function that makes such a change, for errors.
func (k ChangeKind) String() string {
	return [...]string{"set", "chown", "chmod", "chtimes", "setbtime", "chflags", "setxattr", "removexattr", "writexattr"}[k]
}

// A Change is a new value of one attribute of an entry.
type Change struct {
	Kind ChangeKind
	// OnlySetID says that Mode adds set-id bits to the mode that the entry has, and changes no other bits.
	OnlySetID    bool
	Mode         fs.FileMode
	UID, GID     int       // -1 leaves an ID as it is
	Atime, Mtime time.Time // a zero time leaves a time as it is
	Btime        time.Time
	Flags        uint32 // of chflags(2), or on Linux of FS_IOC_SETFLAGS
	UserFlags    uint32 // Flags without those of root, for systems where not even root may set them
	DOSFlags     uint32 // Flags without those that DOS lacks, for volumes that refuse all flags because of one
	Xattr        string // the name of the attribute
	Value        []byte
	Off          int64 // of an XattrPiece: where Value begins, in bytes
}

// SetsTimes reports whether c sets times of an entry.
func (c Change) SetsTimes() bool { return c.Kind == TimesChange || c.Kind == BtimeChange }

// A Settable is an entry that has Set, as [Node] describes it.
type Settable interface {
	Set(changes []Change) []error
}

// In returns the entry called name of d.
func In(d Dir, name string) Settable { return inDir{d, name} }

type inDir struct {
	dir  Dir
	name string
}

func (e inDir) Set(changes []Change) []error { return e.dir.Set(e.name, changes) }

// Chown sets the owner and group of an entry, except an ID that is -1.
func Chown(on Settable, uid, gid int) error {
	return SetOne(on, Change{Kind: OwnerChange, UID: uid, GID: gid})
}

// Chmod sets the mode of an entry.
func Chmod(on Settable, mode fs.FileMode) error {
	return SetOne(on, Change{Kind: ModeChange, Mode: mode})
}

// Chtimes sets the times of an entry, except times that are zero.
func Chtimes(on Settable, atime, mtime time.Time) error {
	return SetOne(on, Change{Kind: TimesChange, Atime: atime, Mtime: mtime})
}

// SetBtime sets the creation time of an entry.
func SetBtime(on Settable, t time.Time) error { return SetOne(on, Change{Kind: BtimeChange, Btime: t}) }

// SetFlags sets the flags of an entry.
func SetFlags(on Settable, flags uint32) error {
	return SetOne(on, Change{Kind: FlagsChange, Flags: flags, UserFlags: flags, DOSFlags: flags})
}

// SetXattr sets an extended attribute of an entry.
func SetXattr(on Settable, name string, value []byte) error {
	return SetOne(on, Change{Kind: XattrChange, Xattr: name, Value: value})
}

// RemoveXattr removes an extended attribute of an entry.
func RemoveXattr(on Settable, name string) error {
	return SetOne(on, Change{Kind: XattrRemoval, Xattr: name})
}

// WriteXattrAt writes a part of an extended attribute of an entry. What is beyond it stays.
func WriteXattrAt(on Settable, name string, p []byte, off int64) error {
	return SetOne(on, Change{Kind: XattrPiece, Xattr: name, Value: p, Off: off})
}

package vfs

import (
	"errors"
	"io/fs"
	"syscall"
	"time"
)

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

// SetOne makes one change of an entry.
func SetOne(on Settable, c Change) error {
	if errs := on.Set([]Change{c}); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// ErrNotTried says that a change was not tried because one before it failed.
var ErrNotTried = errors.New("not tried, because an earlier change failed")

// A GroupOnlyError says that the owner of an entry could not be set, but its group has been.
type GroupOnlyError struct{ Err error }

func (e *GroupOnlyError) Error() string { return e.Err.Error() }

func (e *GroupOnlyError) Unwrap() error { return e.Err }

// SetEach implements the rules of Set, as [Node] describes it, for a file system that makes a call for each change.
// set makes it; it must not change its argument.
func SetEach(changes []Change, set func(*Change) error) (errs []error) {
	withoutSetID := false
	for i := range changes {
		c := &changes[i]
		if c.Kind == ModeChange && withoutSetID && c.Mode&setID != 0 {
			if c.OnlySetID {
				continue
			}
			without := *c
			without.Mode &^= setID
			c = &without
		}
		err := setWithFallback(c, set)
		if err == nil {
			continue
		}
		if errs == nil {
			errs = make([]error, len(changes))
		}
		errs[i] = err
		if c.Kind.IsFatal(err) {
			for j := i + 1; j < len(errs); j++ {
				errs[j] = ErrNotTried
			}
			break
		}
		withoutSetID = withoutSetID || c.Kind == OwnerChange
	}
	return errs
}

const setID = fs.ModeSetuid | fs.ModeSetgid

// setWithFallback makes a change or, if that fails, as much of it as may be possible.
func setWithFallback(c *Change, set func(*Change) error) error {
	if c.Kind == NoChange {
		return nil
	}
	err := set(c)
	if err == nil {
		return nil
	}
	less := *c
	switch {
	case c.Kind == OwnerChange && c.UID >= 0 && c.GID >= 0:
		// Ordinary users may give files to groups that they are in.
		if _, done := errors.AsType[*GroupOnlyError](err); done {
			break
		}
		if less.UID = -1; set(&less) == nil {
			err = &GroupOnlyError{err}
		}
	case c.Kind == FlagsChange && c.UserFlags != c.Flags && errors.Is(err, fs.ErrPermission):
		// Not even root may set root's flags at a raised securelevel(7), or in a container. As not all flags are kept,
		// it remains an error.
		less.Flags = c.UserFlags
		_ = set(&less)
	case c.Kind == FlagsChange && c.DOSFlags != c.Flags && errors.Is(err, syscall.EINVAL):
		// FAT and SMB on macOS refuse all flags with EINVAL if they lack one of them (msdosfs_vnops.c:553,
		// smbfs_vnops.c:5983).
		less.Flags = c.DOSFlags
		_ = set(&less)
	}
	return err
}

// IsFatal reports whether an entry for which a change of this kind failed with err is of no use: the next run would
// take it for what it is not, or others could use it who must not. What the volume or the user's rights do not allow
// is not fatal.
func (k ChangeKind) IsFatal(err error) bool {
	switch k {
	case OwnerChange, ModeChange, TimesChange:
		return err != nil && !CannotKeep(err)
	}
	return false
}

// FirstFatal returns the first fatal error among errs, which are those of changes, or nil.
func FirstFatal(changes []Change, errs []error) error {
	for i, err := range errs {
		if changes[i].Kind.IsFatal(err) {
			return err
		}
	}
	return nil
}

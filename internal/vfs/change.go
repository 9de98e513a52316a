package vfs

import (
	"errors"
	"io/fs"
	"syscall"
)

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
	case c.Kind == OwnerChange && c.UID >= 0 && c.GID >= 0 && CannotKeep(err):
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

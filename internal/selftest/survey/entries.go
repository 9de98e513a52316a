package survey

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"

	"psync/internal/vfs"
)

// An entryKey holds what determines whether an entry can be made, other than its name.
type entryKey struct {
	kind fs.FileMode // the type
	rdev uint64      // of a device
}

func keyOf(attr vfs.Attr) entryKey {
	k := entryKey{kind: attr.Mode.Type()}
	if k.kind&fs.ModeDevice != 0 {
		k.rdev = attr.Rdev
	}
	return k
}

// makeAlike makes an entry of a type. It removes the entry that some FUSE servers leave behind when they
// fail.
func (tr *trials) makeAlike(k entryKey, name string) (err error) {
	switch {
	case k.kind == 0:
		err = makeFile(tr.dir, name)
	case k.kind.IsDir():
		err = vfs.Mkdir(tr.dir, name, 0o700)
	case k.kind == fs.ModeSymlink:
		err = vfs.Symlink(tr.dir, "target", name)
	default:
		err = vfs.Mknod(tr.dir, name, k.kind|0o600, k.rdev)
	}
	if err != nil {
		_ = tr.dir.Remove(name, nil)
	}
	return err
}

// remove removes an entry that makeAlike has made.
func (tr *trials) remove(k entryKey, name string) error {
	if k.kind.IsDir() {
		return tr.dir.Rmdir(name)
	}
	return tr.dir.Remove(name, nil)
}

// canMake returns the reason that an entry of a type cannot be made, or nil.
func (tr *trials) canMake(k entryKey) (refusal, fatal error) {
	return tr.entries.get(k, func() (error, error) {
		if err := tr.makeAlike(k, "entry"); err != nil {
			return refused(err)
		}
		attr, err := vfs.Lstat(tr.dir, "entry")
		if err == nil && keyOf(vfs.Attr{Mode: attr.Mode, Rdev: attr.Rdev}) != k {
			err = errors.New("becomes something else")
		}
		return err, tr.remove(k, "entry")
	})
}

// canLink returns the reason that an entry of a type cannot have two names, or nil.
func (tr *trials) canLink(k entryKey) (refusal, fatal error) {
	return tr.links.get(k, func() (error, error) {
		if err := tr.makeAlike(k, "one"); err != nil {
			return refused(err)
		}
		err := tr.dir.Link(tr.dir, "one", "two")
		if err == nil {
			return nil, errors.Join(tr.remove(k, "two"), tr.remove(k, "one"))
		}
		refusal, fatal := refused(err)
		return refusal, errors.Join(fatal, tr.remove(k, "one"))
	})
}

// usualTarget is a length of symbolic link targets that every volume with symbolic links supports.
const usualTarget = 500

// takesTarget reports whether a symbolic link may have a target.
func (tr *trials) takesTarget(target string) (bool, error) {
	if len(target) > usualTarget {
		if ok, err := tr.lengths.allows(int64(len(target))); err != nil || !ok {
			return false, err
		}
	}
	if strings.IndexFunc(target, isOdd) < 0 {
		return true, nil
	}
	return tr.targets.get(target, func() (bool, error) { return tr.keepsTarget("odd link", target) })
}

// isOdd reports whether a character may be refused in a target.
func isOdd(r rune) bool { return r == utf8.RuneError || r < ' ' || strings.ContainsRune(`\:*?"<>|`, r) }

// keepsLength reports whether the target of a symbolic link may have n bytes.
func (tr *trials) keepsLength(n int64) (bool, error) {
	return tr.keepsTarget("long link", strings.Repeat("t", int(n)))
}

// keepsTarget makes a symbolic link. name must not be in use by another trial.
func (tr *trials) keepsTarget(name, target string) (bool, error) {
	if err := vfs.Symlink(tr.dir, target, name); err != nil {
		_, fatal := refused(err)
		return false, fatal
	}
	got, err := tr.dir.Readlink(name)
	return got == target, errors.Join(err, tr.dir.Remove(name, nil))
}

// keepsSize reports whether a file may have n bytes. On volumes without holes, it allocates blocks rather than
// writing them, which takes no time.
func (tr *trials) keepsSize(n int64) (kept bool, err error) {
	f, err := tr.dir.OpenFile("size", vfs.Create, 0o600)
	if err != nil {
		return false, err
	}
	if tr.keepsHoles {
		refusal, fatal := refused(f.Truncate(n))
		kept, err = refusal == nil, fatal
	} else {
		// Any other error means that there is no room, or that blocks cannot be allocated.
		kept = !errors.Is(f.Fallocate(vfs.Preallocate, 0, n), syscall.EFBIG)
	}
	return kept, errors.Join(err, f.Close(), tr.dir.Remove("size", nil))
}

// holeSize is the size of the hole that tryHole makes.
const holeSize = 1 << 20

// tryHole reports whether the volume supports holes in files.
func (tr *trials) tryHole() (bool, error) {
	f, err := tr.dir.OpenFile("hole", vfs.Create, 0o600)
	if err != nil {
		return false, err
	}
	refusal, fatal := refused(f.Truncate(holeSize))
	attr, err := vfs.Stat(f)
	err = errors.Join(fatal, err, f.Close(), tr.dir.Remove("hole", nil))
	return refusal == nil && attr.Blocks*512 < holeSize/2, err
}

package plan

import (
	"io/fs"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// DirMode returns the rwx bits that a directory is to end up with, given those of
// the source and those of the destination as it was found, or was made. A new one
// gets those of the source. An existing one keeps its own, for it may be /tmp, or
// the home of others. But one that an interrupted run has left open to its owner,
// so as to work in it, gets what that run was about to give it.
func DirMode(src, dst fs.FileMode, fresh bool) fs.FileMode {
	if fresh || dst.Perm() == src.Perm()|0o700 {
		return src.Perm()
	}
	return dst.Perm()
}

// A Keep says which attributes of the source a copy keeps, beyond the rwx bits
// of what it makes.
type Keep struct {
	Modes         bool // rwx bits of existing directories and current files, too
	Owner, Group  bool
	Mtime, Atime  bool
	AskedForTimes bool // the user named Mtime or Atime: not keeping them is a failure
}

// Times reports whether any time is kept.
func (k Keep) Times() bool { return k.Mtime || k.Atime }

// A Change is a set of attributes to give to an entry.
type Change struct {
	Chmod    bool
	Mode     fs.FileMode // rwx, set-id and sticky bits
	Chown    bool
	UID, GID int // -1 leaves one as it is
	Chtimes  bool
}

// Changes returns what differs between an entry as it is (dst) and as it should
// be (src), times within tolerance being equal. Symbolic links have no mode of
// their own. Set-id and sticky bits of the destination stay: a new directory
// may owe its set-group-ID bit to its parent.
func Changes(src, dst vfs.Attr, keep Keep, t Tolerance) Change {
	c := Change{UID: -1, GID: -1, Chtimes: keep.timesDiffer(src, dst, t)}
	if keep.Owner && src.UID != dst.UID {
		c.Chown, c.UID = true, int(src.UID)
	}
	if keep.Group && src.GID != dst.GID {
		c.Chown, c.GID = true, int(src.GID)
	}
	if permsDiffer(src, dst) {
		c.Chmod = true
		c.Mode = src.Mode.Perm() | dst.Mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)
	}
	return c
}

// None reports whether nothing is to be changed.
func (c Change) None() bool { return !c.Chmod && !c.Chown && !c.Chtimes }

func permsDiffer(src, dst vfs.Attr) bool {
	return src.Mode.Type() != fs.ModeSymlink && src.Mode.Perm() != dst.Mode.Perm()
}

func (k Keep) timesDiffer(src, dst vfs.Attr, t Tolerance) bool {
	return k.Mtime && !t.Same(src.Mtime, dst.Mtime) || k.Atime && !src.Atime.Equal(dst.Atime)
}

// Diff returns in what two entries of one type differ, as far as a change would
// be made. Their contents are not looked at.
func Diff(src, dst vfs.Attr, keep Keep, t Tolerance) report.Diff {
	var d report.Diff
	set := func(bit report.Diff, differs bool) {
		if differs {
			d |= bit
		}
	}
	set(report.DiffSize, src.Mode.IsRegular() && src.Size != dst.Size)
	set(report.DiffMtime, keep.Mtime && !t.Same(src.Mtime, dst.Mtime))
	set(report.DiffAtime, keep.Atime && !src.Atime.Equal(dst.Atime))
	set(report.DiffPerms, permsDiffer(src, dst))
	set(report.DiffOwner, keep.Owner && src.UID != dst.UID)
	set(report.DiffGroup, keep.Group && src.GID != dst.GID)
	return d
}

// A Tolerance is how far apart two modification times may be and still be equal.
type Tolerance struct {
	Window time.Duration // as the user wants it
	// Granularity is the coarser one of the two file systems. A time that was
	// rounded differs by less.
	Granularity time.Duration
}

// Same reports whether a and b are equal.
func (t Tolerance) Same(a, b time.Time) bool {
	d := a.Sub(b).Abs()
	return d <= t.Window || d < t.Granularity
}

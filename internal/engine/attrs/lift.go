package attrs

import (
	"io/fs"
	"sync"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A run that preserves flags or ACLs makes those of the destination match the source's, so neither may prevent it
// from changing, replacing or removing an entry: Finder's lock is a flag that an earlier run has copied, and macOS
// denies everyone the right to delete the folders of a home directory. Flags and ACLs that prevent a change are
// lifted, and restored if the entry stays. Attributes that the run does not preserve are not lifted, and locks set by
// root are lifted only for root.

// A Lifter lifts the locks and ACLs of destination entries that prevent changing them.
// Several workers may use names of the same entry at once; the last of them restores what was lifted.
type Lifter struct {
	*Policy
	volumes *volume.Table

	mu   sync.Mutex // guards held, and lifting and restoring
	held map[vfs.ID]*heldLift
}

// NewLifter returns a Lifter for a run whose volumes are in the table volumes.
func NewLifter(p *Policy, volumes *volume.Table) *Lifter { return &Lifter{Policy: p, volumes: volumes} }

// mayLift reports whether the run may lift anything at all.
func (f *Lifter) mayLift() bool {
	return f.Dest.Liftable(f.Keep, f.User) != 0 || f.Keep.ACLs && f.Dest.InheritsACLs
}

// lift removes from an entry the locks and ACLs that may prevent its owner from changing, renaming or
// removing it. attr has the entry's flags if stat(2) reports them.
func (f *Lifter) lift(n vfs.Node, attr vfs.Attr) (l Lifted) {
	if liftable := f.Dest.Liftable(f.Keep, f.User); liftable != 0 && !f.volumes.IgnoresFlags(attr.Dev) {
		flags, err := f.flags(n, attr)
		locks := flags & f.Dest.LockFlags
		if err == nil && locks != 0 && locks&^liftable == 0 && vfs.SetFlags(n, flags&^locks) == nil {
			l.flags, l.locks = flags, locks
		}
	}
	if !f.Keep.ACLs || !f.Dest.InheritsACLs || attr.Mode.Type() == fs.ModeSymlink || f.volumes.HasServerACLs(attr.Dev) {
		return l
	}
	var s metadata.State
	if f.Dest.Read(n, metadata.Keep{ACLs: true}, &s, func(report.Attr, error) {}) != nil {
		return l
	}
	for _, acl := range s.Xattrs {
		binds := !acl.Unread && (f.Dest.BindsOwner == nil || f.Dest.BindsOwner(acl.Value))
		if binds && vfs.RemoveXattr(n, acl.Name) == nil {
			l.acls = append(l.acls, acl)
		}
	}
	return l
}

// flags returns the flags of an entry with the attributes attr.
func (f *Lifter) flags(n vfs.Node, attr vfs.Attr) (uint32, error) {
	if f.Dest.StatHasFlags {
		return attr.Flags, nil
	}
	return n.Flags()
}

// forgetIgnored drops the locks of l, which were just lifted from an entry, if it still has them all the same: its volume
// ignores changes of flags then.
func (f *Lifter) forgetIgnored(n vfs.Node, l *Lifted) {
	if l.locks == 0 {
		return
	}
	attr, err := vfs.Stat(n)
	if err != nil {
		return
	}
	if flags, err := f.flags(n, attr); err == nil && flags&l.locks == l.locks {
		f.volumes.LearnIgnoresFlags(attr.Dev)
		l.flags, l.locks = 0, 0
	}
}

// LiftDir lifts what prevents making and removing entries in a directory. It never returns nil.
func (f *Lifter) LiftDir(dir vfs.Dir, attr vfs.Attr) *Lifted {
	l := new(Lifted)
	liftable := f.Dest.Liftable(f.Keep, f.User)
	mayBeLocked := liftable != 0 && (!f.Dest.StatHasFlags || attr.Flags&f.Dest.LockFlags != 0)
	mayDeny := f.Keep.ACLs && f.Dest.BindsOwner != nil && !f.User.Privileged()
	if !mayBeLocked && !mayDeny {
		return l
	}
	n, err := f.node(dir, vfs.Entry{Name: "."})
	if err != nil || n == nil {
		return l
	}
	*l = f.lift(n, attr)
	_ = n.Close()
	return l
}

// RestoreAt restores what was lifted from the directory called name in in, or from in itself for ".".
// It ignores errors.
func (f *Lifter) RestoreAt(l *Lifted, in vfs.Dir, name string) {
	if !l.Any() {
		return
	}
	if n, err := f.node(in, vfs.Entry{Name: name}); err == nil && n != nil {
		_ = l.Restore(n)
		_ = n.Close()
	}
}

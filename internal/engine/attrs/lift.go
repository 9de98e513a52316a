package attrs

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A run that preserves flags or ACLs makes those of the destination match the source's, so neither
// may prevent it from changing, replacing or removing an entry: Finder's lock is a flag that an earlier run
// has copied, and macOS denies everyone the right to delete the folders of a home directory. Flags and ACLs
// that are in the way are lifted, and restored if the entry stays. Attributes that the run does not preserve
// are not lifted, and locks set by root are lifted only for root.

// A Lifter lifts the locks and ACLs of entries of the destination that are in the way of changing them.
// Several workers may use names of the same entry at once; the last of them restores what was lifted.
type Lifter struct {
	*Policy
	volumes *volume.Table

	mu   sync.Mutex // guards held, and lifting and restoring
	held map[vfs.ID]*heldLift
}

// NewLifter returns a Lifter for a run whose volumes are in the table volumes.
func NewLifter(p *Policy, volumes *volume.Table) *Lifter { return &Lifter{Policy: p, volumes: volumes} }

// A Lifted records the locks and ACLs that were removed from an entry because they prevented changing it.
// Its methods may be called on a nil *Lifted, which records nothing.
type Lifted struct {
	flags uint32 // all flags of the entry, if some of them locked it; otherwise 0
	locks uint32 // the subset of flags that locked it
	acls  []metadata.Xattr
}

// Any reports whether anything was lifted.
func (l *Lifted) Any() bool { return l != nil && (l.locks != 0 || len(l.acls) > 0) }

// Locks returns the flags that were lifted.
func (l *Lifted) Locks() uint32 {
	if l == nil {
		return 0
	}
	return l.locks
}

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
		if err == nil && locks != 0 && locks&^liftable == 0 && n.SetFlags(flags&^locks) == nil {
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
		if binds && n.RemoveXattr(acl.Name) == nil {
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
	attr, err := n.Stat()
	if err != nil {
		return
	}
	if flags, err := f.flags(n, attr); err == nil && flags&l.locks == l.locks {
		f.volumes.LearnIgnoresFlags(attr.Dev)
		l.flags, l.locks = 0, 0
	}
}

// Restore puts back what was lifted from an entry, the locks last. It tries everything and returns the
// errors joined.
func (l *Lifted) Restore(n vfs.Node) (err error) {
	if !l.Any() {
		return nil
	}
	for _, acl := range l.acls {
		err = vfs.JoinErrors(err, n.SetXattr(acl.Name, acl.Value))
	}
	if l.locks != 0 {
		err = vfs.JoinErrors(err, n.SetFlags(l.flags))
	}
	return err
}

// Union returns what two workers have lifted from one entry. Either may be nil.
func (l *Lifted) Union(other *Lifted) *Lifted {
	switch {
	case other == nil || other == l:
		return l
	case l == nil:
		return other
	}
	all := Lifted{l.flags | other.flags, l.locks | other.locks, slices.Clone(l.acls)}
	for _, acl := range other.acls {
		if !slices.ContainsFunc(l.acls, func(x metadata.Xattr) bool { return x.Name == acl.Name }) {
			all.acls = append(all.acls, acl)
		}
	}
	return &all
}

// AddTo adds what was lifted to s, so that s is the state that the entry had before.
func (l *Lifted) AddTo(s *metadata.State) {
	if !l.Any() {
		return
	}
	s.Flags |= l.locks
	for _, acl := range l.acls {
		i, found := slices.BinarySearchFunc(s.Xattrs, acl.Name, func(x metadata.Xattr, name string) int { return cmp.Compare(x.Name, name) })
		if !found {
			s.Xattrs = slices.Insert(s.Xattrs, i, acl)
		}
	}
}

// A heldLift is what is currently lifted from an entry, shared by all of its Holds.
type heldLift struct {
	Lifted
	node  vfs.Node // the entry
	uses  int
	lifts int // how often something was lifted
}

// add records what was lifted from an entry, perhaps after others had set it again.
func (l *heldLift) add(more *Lifted) {
	if more.Any() {
		l.Lifted = *more.Union(&l.Lifted)
		l.lifts++
	}
}

// A Hold is a worker's use of an entry, while what prevents changing it is lifted. Its methods may be called
// on a nil *Hold, which has lifted nothing.
type Hold struct {
	lifter *Lifter
	id     vfs.ID
	lift   *heldLift
	lifts  int // those of lift that this worker knows of
}

// Hold lifts what prevents changing the entry called name in the directory in, until Release is called. It
// returns nil if the run may not lift anything, or if the entry cannot be opened.
func (f *Lifter) Hold(in vfs.Dir, name string) *Hold {
	if !f.mayLift() {
		return nil
	}
	n := f.openToLift(in, name)
	if n == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	// Only now do the attributes show what other workers have lifted or restored.
	attr, err := n.Stat()
	if err != nil {
		_ = n.Close()
		return nil
	}
	h := f.held[attr.ID()]
	if h == nil {
		h = &heldLift{node: n}
		if f.held == nil {
			f.held = make(map[vfs.ID]*heldLift)
		}
		f.held[attr.ID()] = h
		l := f.lift(n, attr)
		h.add(&l)
	} else {
		_ = n.Close()
	}
	h.uses++
	return &Hold{f, attr.ID(), h, h.lifts}
}

// openToLift opens an entry, if possible such that it can still be reached after it has been renamed or
// has lost the name. It returns nil if the entry cannot be opened.
func (f *Lifter) openToLift(in vfs.Dir, name string) vfs.Node {
	if attr, err := in.Lstat(name); err == nil && attr.Mode.IsRegular() {
		if file, err := in.Open(name); err == nil {
			return file
		}
	}
	n, err := f.node(in, name)
	if err != nil {
		return nil
	}
	return n
}

// mostLifts is how often what prevents an operation is lifted again. Other workers set it a few times at most; a server
// may set it each time.
const mostLifts = 16

// Try calls do, an operation on the entry, and calls it again as long as it fails because another worker
// has set a lock or an ACL meanwhile.
func (h *Hold) Try(do func() error) error {
	for range mostLifts {
		err := do()
		if !errors.Is(err, fs.ErrPermission) || !h.liftAgain() {
			return err
		}
	}
	return do()
}

// liftAgain lifts what was set since this worker looked at the entry, and reports whether anything was
// lifted meanwhile.
func (h *Hold) liftAgain() bool {
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	if attr, err := h.lift.node.Stat(); err == nil {
		l := h.lifter.lift(h.lift.node, attr)
		h.lifter.forgetIgnored(h.lift.node, &l)
		h.lift.add(&l)
	}
	again := h.lift.lifts != h.lifts
	h.lifts = h.lift.lifts
	return again
}

// Release ends the use of the entry. It restores what was lifted if there are no other Holds and the entry
// still has a name.
func (h *Hold) Release() (err error) {
	if h == nil {
		return nil
	}
	f := h.lifter
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.lift.uses--; h.lift.uses > 0 {
		return nil
	}
	delete(f.held, h.id)
	if attr, serr := h.lift.node.Stat(); serr == nil && attr.Nlink > 0 {
		err = h.lift.Restore(h.lift.node)
	}
	return vfs.JoinErrors(err, h.lift.node.Close())
}

// Discard drops what was lifted, because the entry now has the attributes it should have. What others have
// lifted since AddTo was called they have lifted from these attributes, so that it is kept.
func (h *Hold) Discard() {
	if h == nil {
		return
	}
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	if h.lift.lifts == h.lifts {
		h.lift.Lifted = Lifted{}
	}
}

// AddTo adds what was lifted to s, so that s is the state that the entry had before.
func (h *Hold) AddTo(s *metadata.State) {
	if h == nil {
		return
	}
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	h.lift.AddTo(s)
	h.lifts = h.lift.lifts
}

// addLifted adds to s, the state of an entry, what workers have lifted from it to use other names of it.
func (f *Lifter) addLifted(s *metadata.State) {
	if f == nil || s.Nlink < 2 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if h := f.held[s.ID()]; h != nil {
		h.AddTo(s)
	}
}

// whileSetting calls do, which carries out operations on an entry with the attributes attr. Locks and ACLs
// that they set are right, so that workers which have lifted the former ones, to use other names of the
// entry, do not restore those.
func (f *Lifter) whileSetting(attr *vfs.Attr, ops []metadata.Op, do func() error) error {
	if f == nil || attr.Nlink < 2 || !f.mayLift() {
		return do()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err := do()
	if h := f.held[attr.ID()]; h != nil && err == nil {
		h.forget(ops)
	}
	return err
}

// forget drops what operations have set anew.
func (l *Lifted) forget(ops []metadata.Op) {
	for _, op := range ops {
		switch op.Class {
		case metadata.Unlock, metadata.Flags:
			l.flags, l.locks = 0, 0
		case metadata.ACLs:
			l.acls = slices.DeleteFunc(l.acls, func(x metadata.Xattr) bool { return x.Name == op.Xattr.Name })
		}
	}
}

// Force calls do, an operation on the entry called name. If do fails because permission is denied, Force
// lifts the locks and ACLs of the entry and calls do once more.
func (f *Lifter) Force(do func() error, in vfs.Dir, name string) error {
	err := do()
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	h := f.Hold(in, name)
	if h == nil {
		return err
	}
	return vfs.JoinErrors(h.Try(do), h.Release())
}

// Remove removes an entry that is not a directory.
func (f *Lifter) Remove(in vfs.Dir, name string) error {
	return f.Force(func() error { return in.Remove(name) }, in, name)
}

// RemoveUnchanged removes an entry that is not a directory, and that must still be what only says.
func (f *Lifter) RemoveUnchanged(in vfs.Dir, name string, only vfs.Premise) error {
	return f.Force(func() error { return in.RemoveUnchanged(name, only) }, in, name)
}

// Rmdir removes an empty directory.
func (f *Lifter) Rmdir(in vfs.Dir, name string) error {
	return f.Force(func() error { return in.Rmdir(name) }, in, name)
}

// Rename renames an entry to a name that is not in use.
func (f *Lifter) Rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	return f.Force(func() error { return vfs.Rename(from, oldname, to, newname) }, from, oldname)
}

// RenameOver replaces an entry, which with only must be what that says, with temp, a name in the directory from. The
// new entry has no locks yet, and no ACL that prevents renaming it.
func (f *Lifter) RenameOver(from vfs.Dir, temp string, to vfs.Dir, name string, only *vfs.Premise) error {
	return f.Force(func() error {
		if only != nil {
			return to.Replace(from, temp, name, *only)
		}
		return vfs.Rename(from, temp, to, name)
	}, to, name)
}

// Link makes newname another name of an entry.
func (f *Lifter) Link(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	return f.Force(func() error { return to.Link(from, name, newname) }, from, name)
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
	n, err := f.node(dir, ".")
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
	if n, err := f.node(in, name); err == nil && n != nil {
		_ = l.Restore(n)
		_ = n.Close()
	}
}

package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A run that keeps flags, or ACLs, makes those of the destination what the source's are, so neither
// may keep it from changing, replacing or removing an entry: Finder's lock is a flag that an earlier run
// has copied, and macOS denies everyone to delete the folders of a home. They are lifted when they are in
// the way, and restored if the entry stays. What is not kept is not lifted, and what root has
// locked is lifted for root only.

// A lifted is what was taken away from an entry that was in the way of changing it.
type lifted struct {
	flags uint32 // all that it had, if some of them locked it, or else 0
	locks uint32 // those of them that did
	acls  []metadata.Xattr
}

func (l *lifted) any() bool { return l != nil && (l.locks != 0 || len(l.acls) > 0) }

// mayLift reports whether anything may be lifted at all.
func (w *worker) mayLift() bool {
	return w.profile.Liftable(w.Keep, w.User) != 0 || w.Keep.ACLs && w.profile.InheritsACLs
}

// lift takes away from an entry, whose flags are known if stat(2) tells them, what may keep its owner
// from changing, renaming or removing it.
func (w *worker) lift(n vfs.Node, attr vfs.Attr) (l lifted) {
	if liftable := w.profile.Liftable(w.Keep, w.User); liftable != 0 {
		flags, err := attr.Flags, error(nil)
		if !w.profile.StatTellsFlags {
			flags, err = n.Flags()
		}
		locks := flags & w.profile.LockFlags
		if err == nil && locks != 0 && locks&^liftable == 0 && n.SetFlags(flags&^locks) == nil {
			l.flags, l.locks = flags, locks
		}
	}
	if !w.Keep.ACLs || !w.profile.InheritsACLs || attr.Mode.Type() == fs.ModeSymlink || w.volumes.HasServerACLs(attr.Dev) {
		return l
	}
	var s metadata.State
	if w.profile.Read(n, metadata.Keep{ACLs: true}, &s, func(report.Attr, error) {}) != nil {
		return l
	}
	for _, acl := range s.Xattrs {
		binds := !acl.Unread && (w.profile.BindsOwner == nil || w.profile.BindsOwner(acl.Value))
		if binds && n.RemoveXattr(acl.Name) == nil {
			l.acls = append(l.acls, acl)
		}
	}
	return l
}

// restore gives an entry back what was lifted, the locks last.
func (l *lifted) restore(n vfs.Node) (err error) {
	if !l.any() {
		return nil
	}
	for _, acl := range l.acls {
		err = both(err, n.SetXattr(acl.Name, acl.Value))
	}
	if l.locks != 0 {
		err = both(err, n.SetFlags(l.flags))
	}
	return err
}

// union returns what two workers have lifted from one entry. Either may be nil.
func (l *lifted) union(other *lifted) *lifted {
	switch {
	case other == nil || other == l:
		return l
	case l == nil:
		return other
	}
	all := lifted{l.flags | other.flags, l.locks | other.locks, slices.Clone(l.acls)}
	for _, acl := range other.acls {
		if !slices.ContainsFunc(l.acls, func(x metadata.Xattr) bool { return x.Name == acl.Name }) {
			all.acls = append(all.acls, acl)
		}
	}
	return &all
}

// addTo makes s the state that the entry had before.
func (l *lifted) addTo(s *metadata.State) {
	if !l.any() {
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

// lifts are the entries from which something is lifted at the moment. Several workers may be at work on
// names of one entry; the last of them restores what was lifted.
type lifts struct {
	mu sync.Mutex // guards m, and lifting and restoring
	m  map[vfs.ID]*heldLift
}

type heldLift struct {
	lifted
	uses    int
	settled bool // nothing is to be restored
}

// A hold is the use of an entry from which something is lifted.
type hold struct {
	w    *worker
	id   vfs.ID
	node vfs.Node
	lift *heldLift
}

// hold lifts what is in the way of changing the entry called name, until release is called. It returns
// nil if there is nothing to lift.
func (w *worker) hold(in vfs.Dir, name string) *hold {
	if !w.mayLift() {
		return nil
	}
	n := w.openToLift(in, name)
	if n == nil {
		return nil
	}
	attr, err := n.Stat()
	if err != nil {
		_ = n.Close()
		return nil
	}
	w.lifts.mu.Lock()
	defer w.lifts.mu.Unlock()
	h := w.lifts.m[attr.ID()]
	if h == nil {
		h = &heldLift{lifted: w.lift(n, attr)}
		if !h.any() {
			_ = n.Close()
			return nil
		}
		if w.lifts.m == nil {
			w.lifts.m = make(map[vfs.ID]*heldLift)
		}
		w.lifts.m[attr.ID()] = h
	}
	h.uses++
	return &hold{w, attr.ID(), n, h}
}

// openToLift opens an entry in such a way that it can still be reached when it has been renamed or has
// lost the name, if that is possible, or returns nil.
func (w *worker) openToLift(in vfs.Dir, name string) vfs.Node {
	if attr, err := in.Lstat(name); err == nil && attr.Mode.IsRegular() {
		if f, err := in.Open(name); err == nil {
			if n, ok := f.(vfs.Node); ok {
				return n
			}
			_ = f.Close()
		}
	}
	n, err := w.node(in, name)
	if err != nil {
		return nil
	}
	return n
}

// release ends the use of the entry, and restores what was lifted if nobody else uses it and it still has
// a name.
func (h *hold) release() (err error) {
	if h == nil {
		return nil
	}
	ls := &h.w.lifts
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if h.lift.uses--; h.lift.uses == 0 {
		delete(ls.m, h.id)
		if attr, serr := h.node.Stat(); !h.lift.settled && serr == nil && attr.Nlink > 0 {
			err = h.lift.restore(h.node)
		}
	}
	return both(err, h.node.Close())
}

// settle says that the entry has got what it is to have.
func (h *hold) settle() {
	if h != nil {
		h.w.lifts.mu.Lock()
		defer h.w.lifts.mu.Unlock()
		h.lift.settled = true
	}
}

// forcing does what may be forbidden by locks or the ACL of an entry: those are lifted then, and it is tried
// once more.
func (w *worker) forcing(do func() error, on metadata.Entry) error {
	err := do()
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	h := w.hold(on.Dir, on.Name)
	if h == nil {
		return err
	}
	return both(do(), h.release())
}

// remove removes an entry that is no directory.
func (w *worker) remove(in vfs.Dir, name string) error {
	return w.forcing(func() error { return in.Remove(name) }, metadata.Entry{Dir: in, Name: name})
}

// removeDir removes an empty directory.
func (w *worker) removeDir(in vfs.Dir, name string) error {
	return w.forcing(func() error { return in.Rmdir(name) }, metadata.Entry{Dir: in, Name: name})
}

// rename gives an entry a name that nothing has.
func (w *worker) rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	return w.forcing(func() error { return rename(from, oldname, to, newname) }, metadata.Entry{Dir: from, Name: oldname})
}

// renameOver puts temp, a name in the directory from, in the place of an entry. What is new has no locks yet,
// and no ACL that is in the way.
func (w *worker) renameOver(from vfs.Dir, temp string, to vfs.Dir, name string) error {
	return w.forcing(func() error { return rename(from, temp, to, name) }, metadata.Entry{Dir: to, Name: name})
}

// link makes newname another name of an entry.
func (w *worker) link(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	return w.forcing(func() error { return link(from, name, to, newname) }, metadata.Entry{Dir: from, Name: name})
}

// liftDir lifts what is in the way of making and removing entries in the destination of d, until d is
// finished.
func (w *worker) liftDir(d *directory) {
	if d.lifted != nil {
		return
	}
	d.lifted = w.liftOwn(d.dst, d.destAttr)
	d.destAttr.Flags &^= d.lifted.locks
}

// liftOwn lifts what is in the way of making and removing entries in a directory.
func (w *worker) liftOwn(dir vfs.Dir, attr vfs.Attr) *lifted {
	l := new(lifted)
	liftable := w.profile.Liftable(w.Keep, w.User)
	mayBeLocked := liftable != 0 && (!w.profile.StatTellsFlags || attr.Flags&w.profile.LockFlags != 0)
	mayDeny := w.Keep.ACLs && w.profile.BindsOwner != nil && !w.User.Privileged()
	if !mayBeLocked && !mayDeny {
		return l
	}
	n, err := w.node(dir, ".")
	if err != nil || n == nil {
		return l
	}
	*l = w.lift(n, attr)
	_ = n.Close()
	return l
}

// restoreAt restores what was lifted from a directory, by a name of it in another one, or "." in itself.
func (w *worker) restoreAt(l *lifted, in vfs.Dir, name string) {
	if !l.any() {
		return
	}
	if n, err := w.node(in, name); err == nil && n != nil {
		_ = l.restore(n)
		_ = n.Close()
	}
}

package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// write makes the file t with the contents of from and the attributes of o. If that fails, it removes
// the file. The operations that have to wait for the final name are left in w.last.
func (w *worker) write(ctx context.Context, d *directory, t target, from origin, o *desired) error {
	dst, err := w.cloneFile(d, t, from)
	clone := dst != nil
	perm := w.firstMode(d, t.Dir, o)
	if !clone && err == nil {
		dst, err = w.create(d, t, perm)
	}
	if err != nil {
		return err
	}
	id, err := w.fill(ctx, d, t, dst, from, o, clone, perm)
	if err != nil {
		return both(err, w.removePartial(d, t, id))
	}
	return nil
}

// fill gives the new file t, which is open as dst, contents and attributes, and closes it. If
// that fails, id identifies the file, or is zero where that is not known.
func (w *worker) fill(ctx context.Context, d *directory, t target, dst vfs.File, from origin, o *desired, clone bool, perm fs.FileMode) (id vfs.ID, err error) {
	k := w.Keep
	var now *metadata.State
	if clone {
		w.copier.Progress(from.attr.Size)
		if k = stripping(k); !w.Keep.Flags {
			o.want.Flags = 0
		}
		now, err = w.written(d, dst, o, k)
	} else if now, err = w.newFile(d, t.Dir, dst, perm, o); err == nil {
		err = w.copier.Copy(ctx, dst, from.File, from.attr, d.route)
		if err == nil {
			err = w.ensureUnchanged(ctx, d, dst, from)
		}
	}
	if err != nil {
		id = identify(dst)
		return id, both(err, dst.Close())
	}
	return w.complete(d, t, dst, o, now, k)
}

// written returns what is known of a file that was there before, or is a clone, and has its contents now.
func (w *worker) written(d *directory, dst vfs.File, o *desired, k metadata.Keep) (*metadata.State, error) {
	attr, err := dst.Stat()
	now := &metadata.State{Attr: attr}
	if err == nil {
		w.observe(d, onDest, o.name, dst, k, now)
	}
	return now, err
}

// firstMode returns the mode to make a file in a directory with.
func (w *worker) firstMode(d *directory, in vfs.Dir, o *desired) fs.FileMode {
	made, _ := d.newFiles.known()
	return plan.FirstFileMode(o.want.Mode, plan.Access{
		ACL:         slices.ContainsFunc(o.want.Xattrs, w.isACL) || w.Keep.ACLs && in == d.dst && d.hasDefaultACL(),
		ChangeOwner: plan.ChangesOwner(w.Keep, w.User, o.want.Attr, made, d.destAttr),
		SetXattrs:   len(o.want.Xattrs) > 0 && !w.User.Privileged(),
	})
}

// isACL reports whether an attribute is an ACL that says more than the mode.
func (w *worker) isACL(x metadata.Xattr) bool {
	return w.profile.Xattr(x.Name)&metadata.IsACL != 0 && !x.Trivial
}

// workMode returns the mode of a new directory, called name in d, or ".", until everything in it is done.
func (w *worker) workMode(d *directory, name string, attr vfs.Attr) fs.FileMode {
	acls := w.Keep.ACLs && !w.leavesACLs(d)
	return plan.FirstDirMode(attr.Mode, plan.Access{
		ACL:         acls,
		ChangeOwner: w.Keep.Owner || w.Keep.Group,
	}, acls && w.hasACL(d.src, name))
}

// hasACL reports whether an entry of the source has an ACL that says more than the mode. What cannot be
// found out is taken for one.
func (w *worker) hasACL(in vfs.Dir, name string) bool {
	n, err := w.node(in, name)
	if err != nil || n == nil {
		return err != nil
	}
	defer n.Close()
	var s metadata.State
	err = w.profile.Read(n, metadata.Keep{ACLs: true}, &s, func(report.Attr, error) {})
	return err != nil && !errors.Is(err, errors.ErrUnsupported) || slices.ContainsFunc(s.Xattrs, w.isACL)
}

// newFile returns what is known of a file just made with the mode perm. Whom it
// belongs to, and what becomes of modes, is looked up once for a directory.
func (w *worker) newFile(d *directory, in vfs.Dir, dst vfs.File, perm fs.FileMode, o *desired) (*metadata.State, error) {
	now := &w.now
	*now = metadata.State{Attr: vfs.Attr{Mode: perm, UID: o.want.UID, GID: o.want.GID}}
	hasDefaultACL := in == d.dst && d.hasDefaultACL()
	made, mask := d.newFiles.known()
	look := hasDefaultACL || w.Keep.Btime || w.Keep.Flags
	if w.needsCreateMode(d, o) {
		look = look || in != d.dst || !mask.Knows(perm)
		now.Mode = mask.Apply(perm)
	}
	switch {
	case !look && !w.needsOwner(o):
	case !look && in == d.dst && made != nil:
		now.UID, now.GID = made.UID, made.GID
	default:
		attr, err := dst.Stat()
		if err != nil {
			return nil, err
		}
		now.Attr = attr
		if in == d.dst {
			d.newFiles.learn(perm, attr)
		}
	}
	w.observeNew(d, dst, hasDefaultACL, o.name, now)
	return now, nil
}

// needsCreateMode reports whether the permissions of a new entry must be known, because the volume
// may have changed those that it was made with.
func (w *worker) needsCreateMode(d *directory, o *desired) bool {
	return !d.dstVolume.KeepsAttrs && (!w.Keep.NoPerms || o.keepsMode)
}

// needsOwner reports whether the owner or group of a new entry must be known to give it what o has.
func (w *worker) needsOwner(o *desired) bool {
	return w.Keep.Owner || w.Keep.Group || (w.Keep.Perms || o.keepsMode) && o.want.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0
}

// observeNew completes what is known of an entry that was just made, by what it may have
// got without anybody asking: an ACL from its directory, and flags.
func (w *worker) observeNew(d *directory, on any, hasDefaultACL bool, name string, now *metadata.State) {
	k := w.Keep
	k.Xattrs = false
	k.ACLs = k.ACLs && (hasDefaultACL || w.profile.InheritsACLs)
	if n, ok := on.(vfs.Node); ok && (k.ACLs || k.Flags) {
		w.observe(d, onDest, name, n, k, now)
	}
}

// cloneFile makes a file together with its attributes, where the system does
// that, and returns nil where it does not.
func (w *worker) cloneFile(d *directory, t target, from origin) (vfs.File, error) {
	if !t.Dir.Caps().Has(vfs.CanCloneFile) || w.Sparse || w.Reflink == content.ReflinkNever || from.attr.Dev != d.dstVolume.Dev || d.dstVolume.LacksClones() {
		return nil, nil
	}
	if from.attr.Flags&w.profile.RootLocks != 0 && !w.User.Privileged() {
		return nil, nil // nobody could change, rename or remove it
	}
	f, err := t.Dir.CloneFile(from.File, t.Name, w.Keep.Owner && w.Keep.Group)
	switch {
	case err == nil:
		return w.cloneUnchanged(d, t, f, from)
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case errors.Is(err, errors.ErrUnsupported):
		d.dstVolume.LearnNoClones()
	}
	return nil, nil // copying will tell what is really wrong
}

// cloneUnchanged looks whether from changed before it was cloned. If so, it removes the clone and
// returns nil: the file has to be copied, for a clone cannot be written to.
func (w *worker) cloneUnchanged(d *directory, t target, clone vfs.File, from origin) (vfs.File, error) {
	if change, _, _ := changed.Since(from.File, from.attr, d.srcVolume.Network); change == plan.Unchanged {
		return clone, nil
	}
	id := identify(clone)
	return nil, both(clone.Close(), w.removePartial(d, t, id))
}

// stripping is what is looked at in a clone, which has everything: what is not kept
// has to go.
func stripping(k metadata.Keep) metadata.Keep {
	k.Xattrs, k.ACLs, k.Flags = true, true, true
	return k
}

// complete gives a file that has its contents the attributes of o, and closes it. now is what
// is known of the file, and k what is kept. If that fails, id is as fill returns it.
func (w *worker) complete(d *directory, t target, dst vfs.File, o *desired, now *metadata.State, k metadata.Keep) (id vfs.ID, err error) {
	k.Perms = k.Perms || o.keepsMode
	mtime := o.want.Mtime
	if w.changedDuringCopy {
		o.want.Mtime = time.Unix(0, 0) // no later run takes it for up to date
	}
	ops, last := metadata.Cut(w.plan(d, k, o, now, true))
	w.last = last
	later, err := w.applyOpen(d, dst, o, ops)
	o.want.Mtime = mtime
	if err == nil {
		err = w.syncFile(d, dst)
	}
	if err != nil || d.farDest || len(later) > 0 {
		id = identify(dst)
	}
	// A network file system may tell only now that the contents did not arrive.
	if err = both(err, dst.Close()); err != nil || !t.stillOurs(id) {
		return id, err
	}
	if len(later) > 0 {
		on, done := w.reach(t.Dir, t.Name)
		defer done()
		if err := w.apply(d, o.name, on, o.node, later); err != nil {
			return id, err
		}
	}
	w.verifyAttrs(d, o.name, t.Entry, &now.Attr, ops)
	return id, nil
}

// applyOpen carries out operations on a file that is still open, and returns
// those that have to wait until it is closed: on a network file system the times, for
// there the data may be sent, and the time with it change, as late as that.
func (w *worker) applyOpen(d *directory, dst vfs.File, o *desired, ops []metadata.Op) (later []metadata.Op, err error) {
	timed := func(op metadata.Op) bool { return op.Class == metadata.Times || op.Class == metadata.Btime }
	i := slices.IndexFunc(ops, timed)
	if i < 0 {
		return nil, w.apply(d, o.name, dst, o.node, ops)
	}
	if err := w.apply(d, o.name, dst, o.node, ops[:i]); err != nil || d.farDest {
		return ops[i:], err
	}
	// Some systems set times by name only.
	if err := w.try(d, o.name, dst, o.node, &ops[i]); errors.Is(err, errors.ErrUnsupported) {
		return ops[i:], nil
	} else if err != nil {
		if err = w.forgive(d, o.name, &ops[i], err); err != nil {
			return nil, err
		}
	}
	return nil, w.apply(d, o.name, dst, o.node, ops[i+1:])
}

// setAttrsNamed gives a new entry that is not a regular file the attributes of o. The operations
// that have to wait for the final name are left in w.last.
func (w *worker) setAttrsNamed(d *directory, in vfs.Dir, made string, o *desired) error {
	now := metadata.State{Attr: vfs.Attr{Mode: o.want.Mode.Type() | o.want.Mode.Perm(), UID: o.want.UID, GID: o.want.GID}}
	isLink := o.want.Mode.Type() == fs.ModeSymlink
	hasDefaultACL := !isLink && in == d.dst && d.hasDefaultACL()
	if !isLink && w.needsCreateMode(d, o) || w.needsOwner(o) || w.Keep.Btime || w.Keep.Flags || hasDefaultACL || isLink && w.profile.LinkModes {
		attr, err := in.Lstat(made)
		if err != nil {
			return err
		}
		now.Attr = attr
	}
	on, done := w.reach(in, made)
	defer done()
	w.observeNew(d, on, hasDefaultACL, o.name, &now)
	ops, last := metadata.Cut(w.plan(d, w.Keep, o, &now, true))
	w.last = last
	if err := w.apply(d, o.name, on, o.node, ops); err != nil {
		return err
	}
	w.verifyAttrs(d, o.name, metadata.Entry{Dir: in, Name: made}, &now.Attr, ops)
	return nil
}

// finishNamed gives an entry that now has its final name the rest of the attributes of o.
func (w *worker) finishNamed(d *directory, name string, o *desired) error {
	ops := w.withoutLocks(d, name, o, w.last)
	w.last = nil
	if len(ops) == 0 {
		return nil
	}
	on, done := w.reach(d.dst, name)
	defer done()
	return w.apply(d, name, on, o.node, ops)
}

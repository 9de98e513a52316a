package attrs

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Made is an entry that was just made or rewritten, and what is known about its attributes. It is valid until its
// Setter is used for another entry.
type Made struct {
	now    *metadata.State
	keep   metadata.Keep
	flawed bool
}

// Created returns what is known about a file just made with the mode perm in a directory, which is dir or stands in
// for it. It looks up the owner of new files, and how the volume changes their modes, only if needed, and remembers both
// in i.
func (s *Setter) Created(v Volumes, dir, in vfs.Dir, i *Inherited, f vfs.File, perm fs.FileMode, o *Desired) (m Made, notes Notes, err error) {
	s.now = metadata.State{Attr: vfs.Attr{Mode: perm, UID: o.Want.UID, GID: o.Want.GID}}
	hasDefaultACL := in == dir && i.HasDefaultACL(dir)
	made, mask := i.known()
	look := hasDefaultACL || s.Keep.MustReadNew()
	if s.needsCreateMode(v, o) {
		look = look || in != dir || !mask.Knows(perm)
		s.now.Mode = mask.Apply(perm)
	}
	switch {
	case !look && !s.needsOwner(o):
	case !look && in == dir && made != nil:
		s.now.UID, s.now.GID = made.UID, made.GID
	case !look && s.setsOwnerUnseen(v, dir, in, i, o):
		s.now.UID, s.now.GID = s.unseenOwner()
	default:
		attr, err := vfs.Stat(f)
		if err != nil {
			return m, nil, err
		}
		s.now.Attr = attr
		if in == dir {
			i.learn(perm, attr)
		}
	}
	notes = s.observeNew(v, f, hasDefaultACL)
	return Made{&s.now, s.Keep, notes.Failed()}, notes, nil
}

// Cloned returns what is known about a file that was made as a clone of the source's. It has all attributes of the
// source, so the ones that are not preserved must be removed.
func (s *Setter) Cloned(v Volumes, f vfs.File, o *Desired) (Made, Notes, error) {
	k := s.Keep
	k.Xattrs, k.ACLs, k.Flags = true, true, true
	if !s.Keep.Flags {
		o.Want.Flags = 0
	}
	return s.written(v, f, k)
}

// Rewritten returns what is known about an existing file that was written in place: writing may have changed more
// than its contents. lifted holds what was lifted from the file for writing, or is nil.
func (s *Setter) Rewritten(v Volumes, f vfs.File, lifted *Hold) (Made, Notes, error) {
	m, notes, err := s.written(v, f, s.Keep)
	lifted.AddTo(&s.now)
	return m, notes, err
}

func (s *Setter) written(v Volumes, f vfs.File, k metadata.Keep) (m Made, notes Notes, err error) {
	attr, err := vfs.Stat(f)
	s.now = metadata.State{Attr: attr}
	if err == nil {
		notes = s.observe(v, onDest, f, k, &s.now)
	}
	return Made{&s.now, k, notes.Failed()}, notes, err
}

// needsCreateMode reports whether the permissions of a new entry must be known because the volume may have changed
// the mode that the entry was made with.
func (s *Setter) needsCreateMode(v Volumes, o *Desired) bool {
	return !v.Dest.KeepsAttrs && (!s.Keep.NoPerms || o.keepsMode)
}

// needsOwner reports whether the owner or group of a new entry must be known to give it what o has.
func (s *Setter) needsOwner(o *Desired) bool {
	return s.Keep.Owner || s.Keep.Group || (s.Keep.Perms || o.keepsMode) && o.Want.Mode&(fs.ModeSetuid|fs.ModeSetgid) != 0
}

// setsOwnerUnseen reports whether the owner of a new entry in the directory in, which is dir or stands in for it, is
// set
// without finding out the current one. On a remote volume, setting it costs nothing, since it is sent with other
// operations, whereas looking would be a round trip.
func (s *Setter) setsOwnerUnseen(v Volumes, dir, in vfs.Dir, i *Inherited, o *Desired) bool {
	const setID = fs.ModeSetuid | fs.ModeSetgid
	switch {
	case !v.Dest.Network || !v.Dest.KeepsAttrs || v.Dest.Ignored() != 0 || !in.Caps().Has(vfs.CanCreateAsync):
		return false
	case o.Want.Mode&setID != 0 && !(s.Keep.Owner && s.Keep.Group):
		return false // the bits depend on the owner that the entry has
	case s.User.Privileged() || s.User.In(o.Want.GID):
		return true
	}
	return in == dir && i.GID != o.Want.GID // otherwise the entry may get the group without a call
}

// unseenOwner returns what stands for the owner and group of an entry that the user has made. An unknown one is a
// value that equals no ID.
func (s *Setter) unseenOwner() (uid, gid uint32) {
	const unknown = ^uint32(0)
	if s.User.Privileged() {
		return unknown, unknown
	}
	return uint32(s.User.UID), unknown
}

// observeNew adds what an entry that was just made may have got without being asked for: flags, and an ACL inherited
// from its directory. n is nil if the entry has neither.
func (s *Setter) observeNew(v Volumes, n vfs.Node, hasDefaultACL bool) Notes {
	if n == nil {
		return nil
	}
	k := s.Keep
	k.Xattrs = false
	k.ACLs = k.ACLs && (hasDefaultACL || s.Dest.InheritsACLs)
	return s.observe(v, onDest, n, k, &s.now)
}

// A Rest is what remains to be done to give an entry its desired attributes. It is valid until its Setter
// is used for another entry.
type Rest struct {
	ops    []metadata.Op // all but named, to be verified
	closed []metadata.Op // those of ops that wait until the file is closed
	named  []metadata.Op // those that wait until the entry has its final name
	flawed bool
}

// WaitsForClose reports whether something remains to be done once the file is closed.
func (r *Rest) WaitsForClose() bool { return len(r.closed) > 0 }

// WaitsForName reports whether something remains to be done once the entry has its final name.
func (r *Rest) WaitsForName() bool { return len(r.named) > 0 }

// SetOpen sets the attributes of a file that has its contents and is still open. If partial is true, the
// contents may be a mixture, so the file gets a modification time that no later run considers current.
func (s *Setter) SetOpen(v Volumes, m Made, f vfs.File, o *Desired, partial bool) (rest Rest, notes Notes, err error) {
	rest, r := s.planMade(v, m, o, partial)
	rest.closed, err = s.applyOpen(v, f, o, rest.ops, &r)
	rest.flawed = r.flawed
	return rest, r.notes, err
}

// planMade plans the operations on a file that has its contents.
func (s *Setter) planMade(v Volumes, m Made, o *Desired, partial bool) (rest Rest, r outcome) {
	k := m.keep
	k.Perms = k.Perms || o.keepsMode
	mtime := o.Want.Mtime
	if partial {
		o.Want.Mtime = time.Unix(0, 0)
	}
	rest.ops, rest.named = metadata.Cut(s.plan(v, k, o, m.now, true, false))
	o.Want.Mtime = mtime
	return rest, outcome{flawed: m.flawed || partial}
}

// SetAndCommit sets the attributes of a file opened with CreateAsync that has its contents, as SetOpen and SetClosed do, syncs the file if
// sync is true, and closes it. If it returns an error, nothing is left of the file.
func (s *Setter) SetAndCommit(v Volumes, m Made, f vfs.File, at metadata.Entry, o *Desired, partial, sync bool) (rest Rest, notes Notes, err error) {
	rest, r := s.planMade(v, m, o, partial)
	if err = s.commit(v.Dest, f, at, o.Node, rest.ops, sync, &r); err == nil {
		s.verify(v.Dest, at, &s.now.Attr, rest.ops, &r.notes)
	}
	rest.flawed = r.flawed
	return rest, r.notes, err
}

// applyOpen carries out operations on a file that is still open, and returns those that must wait until it is closed:
// on most network file systems these are the ones that set times, because the data may not be sent until then, and
// sending it changes the modification time.
func (s *Setter) applyOpen(v Volumes, f vfs.File, o *Desired, ops []metadata.Op, r *outcome) (later []metadata.Op, err error) {
	i := slices.IndexFunc(ops, func(op metadata.Op) bool { return op.Class.IsTimes() })
	if i < 0 {
		return nil, s.apply(v.Dest, f, o.Node, ops, r)
	}
	if err := s.apply(v.Dest, f, o.Node, ops[:i], r); err != nil || v.Dest.Network && !v.Dest.TimesStay {
		return ops[i:], err
	}
	// Some systems set times by name only.
	err = s.try(v.Dest, f, &ops[i], r)
	if errors.Is(err, errors.ErrUnsupported) {
		return ops[i:], nil
	}
	if err = s.proceed(v.Dest, f, ops[i:], err, r); err != nil {
		return nil, err
	}
	return nil, s.apply(v.Dest, f, o.Node, ops[i+1:], r)
}

// SetClosed sets the attributes of a file that had to wait until it was closed, and verifies all attributes.
func (s *Setter) SetClosed(v Volumes, at metadata.Entry, o *Desired, rest *Rest) (Notes, error) {
	r := outcome{flawed: rest.flawed}
	if len(rest.closed) > 0 {
		on, n := s.reach(at)
		defer closeNode(n)
		if err := s.apply(v.Dest, on, o.Node, rest.closed, &r); err != nil {
			return r.notes, err
		}
		rest.flawed = r.flawed
	}
	s.verify(v.Dest, at, &s.now.Attr, rest.ops, &r.notes)
	return r.notes, nil
}

// SetNew sets the attributes of a new entry, other than a regular file, in a directory that is dir or stands in for it.
func (s *Setter) SetNew(v Volumes, dir vfs.Dir, i *Inherited, at metadata.Entry, o *Desired) (rest Rest, notes Notes, err error) {
	s.now = metadata.State{Attr: vfs.Attr{Mode: o.Want.Mode.Type() | o.Want.Mode.Perm(), UID: o.Want.UID, GID: o.Want.GID}}
	isLink := o.Want.Mode.Type() == fs.ModeSymlink
	hasDefaultACL := !isLink && at.Dir == dir && i.HasDefaultACL(dir)
	look := !isLink && s.needsCreateMode(v, o) || s.Keep.MustReadNew() || hasDefaultACL || isLink && s.Dest.LinkModes
	switch {
	case !look && !s.needsOwner(o):
	case !look && s.setsOwnerUnseen(v, dir, at.Dir, i, o):
		s.now.UID, s.now.GID = s.unseenOwner()
	default:
		attr, err := vfs.Stat(at)
		if err != nil {
			return rest, nil, err
		}
		s.now.Attr = attr
	}
	on, n := s.reach(at)
	defer closeNode(n)
	var r outcome
	r.notes = s.observeNew(v, n, hasDefaultACL)
	r.flawed = r.notes.Failed()
	rest.ops, rest.named = metadata.Cut(s.plan(v, s.Keep, o, &s.now, true, false))
	if err = s.apply(v.Dest, on, o.Node, rest.ops, &r); err == nil {
		s.verify(v.Dest, at, &s.now.Attr, rest.ops, &r.notes)
	}
	rest.flawed = r.flawed
	return rest, r.notes, err
}

// NewDirChanges returns the changes that give an empty directory its desired attributes when it has been made with the
// mode perm in dir. ok is false if they depend on what the directory is like then.
func (s *Setter) NewDirChanges(v Volumes, dir vfs.Dir, i *Inherited, perm fs.FileMode, o *Desired) (changes []vfs.Change, ok bool) {
	if s.Keep.MustReadNew() || s.needsCreateMode(v, o) || s.Keep.ACLs && s.Dest.InheritsACLs || i.HasDefaultACL(dir) {
		return nil, false
	}
	s.now = metadata.State{Attr: vfs.Attr{Mode: fs.ModeDir | perm, UID: o.Want.UID, GID: o.Want.GID}}
	if s.needsOwner(o) {
		if !s.setsOwnerUnseen(v, dir, dir, i, o) {
			return nil, false
		}
		s.now.UID, s.now.GID = s.unseenOwner()
	}
	ops := s.plan(v, s.Keep, o, &s.now, true, false)
	for j := range ops {
		if op := &ops[j]; op.Class == metadata.Rename {
			continue
		} else if !op.IsTried() || op.Class == metadata.Flags || v.Dest.Unsupported(featureOf(op)) != nil || op.IsLong() {
			return nil, false
		} else {
			changes = append(changes, op.Change())
		}
	}
	return changes, s.together(v.Dest, ops) == len(ops)
}

// SetNamed sets the attributes of an entry that had to wait until it had its final name. If the entry may
// get further names, SetNamed does not lock it but returns the operations that do, for the caller to carry out.
func (s *Setter) SetNamed(v Volumes, at metadata.Entry, o *Desired, rest *Rest) (locks []metadata.Op, notes Notes, err error) {
	ops, locks := s.withoutLocks(o, rest.named)
	if len(ops) == 0 {
		return locks, nil, nil
	}
	r := outcome{flawed: rest.flawed}
	on, n := s.reach(at)
	defer closeNode(n)
	err = s.apply(v.Dest, on, o.Node, ops, &r)
	return locks, r.notes, err
}

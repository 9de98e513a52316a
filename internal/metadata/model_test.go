package metadata

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A world models what a system does with operations on one entry, as far as it matters to plans. It follows the
// system's manual pages, not this package.
type world struct {
	*Profile
	user vfs.User
}

// do changes s according to the operations that are tried.
func (w world) do(s *State, ops []Op) error {
	s.Xattrs = slices.Clone(s.Xattrs)
	for i := range ops {
		if !ops[i].Never && w.denies(s, ops[i].Class) {
			return fmt.Errorf("%s: denied by an ACL", describe(ops[i:i+1]))
		}
		if ops[i].Never || ops[i].Class == Rename {
			continue
		}
		if err := w.one(s, &ops[i]); err != nil {
			return fmt.Errorf("%s: %w", describe(ops[i:i+1]), err)
		}
	}
	return nil
}

// denies reports whether an ACL keeps the user from an operation.
func (w world) denies(s *State, c Class) bool {
	x := find(s.Xattrs, securityName)
	return w.BindsOwner != nil && !w.user.Privileged() && x != nil && w.BindsOwner(x.Value) &&
		c != Unlock && c != Free && c != ACLs && c != Grant && c != Mode && c != Flags
}

func (w world) one(s *State, op *Op) error {
	if s.Flags&w.LockFlags != 0 && op.Class != Flags && op.Class != Unlock {
		return fmt.Errorf("locked by flags %#x", s.Flags)
	}
	switch op.Class {
	case Grant, Mode:
		return w.chmod(s, op.Mode)
	case Owner:
		return w.chown(s, op)
	case Times:
		w.chtimes(s, op)
	case Btime:
		return w.birth(s, op.Btime)
	case Flags, Unlock:
		may := w.OwnerFlags
		if w.user.Privileged() {
			may |= w.RootFlags
		}
		if (s.Flags^op.Flags)&^may != 0 {
			return fmt.Errorf("flags %#x become %#x: %w", s.Flags, op.Flags, fs.ErrPermission)
		}
		s.Flags = op.Flags
	default:
		return w.xattr(s, op)
	}
	return nil
}

func (w world) chmod(s *State, mode fs.FileMode) error {
	if s.Mode.Type() == fs.ModeSymlink && !w.LinkModes {
		return fs.ErrInvalid
	}
	if !w.user.Privileged() && !w.user.In(s.GID) {
		mode &^= fs.ModeSetgid
	}
	s.Mode = s.Mode.Type() | mode
	for i, x := range s.Xattrs {
		s.Xattrs[i].Value = w.FitACL(x.Name, x.Value, mode)
	}
	return nil
}

func (w world) chown(s *State, op *Op) error {
	if op.UID >= 0 {
		if !w.user.Privileged() {
			return fs.ErrPermission
		}
		s.UID = uint32(op.UID)
	}
	if op.GID >= 0 {
		if !w.user.Privileged() && !w.user.In(uint32(op.GID)) {
			return fs.ErrPermission
		}
		s.GID = uint32(op.GID)
	}
	if !s.Mode.IsDir() {
		s.Mode &^= setID
		if w.Profile == Linux { // capabilities(7)
			s.remove("security.capability")
		}
	}
	return nil
}

func (w world) chtimes(s *State, op *Op) {
	if !op.Atime.IsZero() {
		s.Atime = op.Atime
	}
	if !op.Mtime.IsZero() {
		s.Mtime = op.Mtime
		if w.SetsBtime && s.Mtime.Before(s.Btime) {
			s.Btime = s.Mtime
		}
	}
}

func (w world) birth(s *State, t time.Time) error {
	if !w.SetsBtime || w.BtimeFalls && (t.After(s.Btime) || t.After(s.Mtime)) {
		return fs.ErrInvalid
	}
	s.Btime = t
	return nil
}

func (w world) xattr(s *State, op *Op) error {
	name := op.Xattr.Name
	fate := w.Xattr(name)
	switch {
	case fate&Copies == 0:
		return fmt.Errorf("%s is protected", name)
	case fate&RootOnly != 0 && !w.user.Privileged():
		return fs.ErrPermission
	case fate&(IsACL|RootOnly) == 0 && !w.user.Privileged() && s.Mode&0o200 == 0 && (w.LinkModes || s.Mode.Type() != fs.ModeSymlink):
		return fs.ErrPermission
	}
	if w.XattrsTouch && fate&IsACL == 0 {
		s.Mtime = s.Mtime.Add(999 * time.Hour)
	}
	if op.Remove {
		if fate&Deletes == 0 {
			return fmt.Errorf("%s cannot be removed", name)
		}
		s.remove(name)
		return nil
	}
	x := op.Xattr
	x.Trivial = fate&IsACL != 0 && w.TrivialACL(name, x.Value)
	s.remove(name)
	s.Xattrs = append(s.Xattrs, x)
	slices.SortFunc(s.Xattrs, func(a, b Xattr) int { return cmp.Compare(a.Name, b.Name) })
	if perm, ok := permOf(name, x.Value); ok && fate&IsACL != 0 {
		s.Mode = s.Mode&^fs.ModePerm | perm
	}
	return nil
}

// permOf returns the mode that an access ACL stands for.
func permOf(name string, value []byte) (perm fs.FileMode, ok bool) {
	layout := linuxACL
	if name == bsdPosixAccess {
		layout = bsdACL
	} else if name != posixAccess {
		return 0, false
	}
	for perm = range fs.ModePerm + 1 {
		if bytes.Equal(layout.fit(value, perm), value) {
			return perm, true
		}
	}
	return 0, false
}

func (s *State) remove(name string) {
	s.Xattrs = slices.DeleteFunc(s.Xattrs, func(x Xattr) bool { return x.Name == name })
}

// unlike returns the differences of dst from the result that a plan promises if nothing prevents dst from being
// exactly like src.
func unlike(p *Profile, k Keep, src, dst *State) (d report.Diff) {
	set := func(bit report.Diff, differs bool) {
		if differs {
			d |= bit
		}
	}
	set(report.DiffOwner, k.Owner && src.UID != dst.UID)
	set(report.DiffGroup, k.Group && src.GID != dst.GID)
	if src.Mode.Type() != fs.ModeSymlink || p.LinkModes {
		set(report.DiffPerms, src.Mode.Perm() != dst.Mode.Perm() || k.Perms && k.Owner && k.Group && src.Mode != dst.Mode)
	}
	set(report.DiffMtime, k.Mtime && !src.Mtime.Equal(dst.Mtime))
	set(report.DiffAtime, k.Atime && !src.Atime.Equal(dst.Atime))
	set(report.DiffBtime, k.Btime && p.SetsBtime && !p.BtimeFalls && !src.Btime.Equal(dst.Btime))
	set(report.DiffFlags, k.Flags && (src.Flags^dst.Flags)&(p.OwnerFlags|p.RootFlags) != 0)
	for _, x := range src.Xattrs {
		fate := p.Xattr(x.Name)
		if fate&Copies == 0 || !k.keeps(fate) || x.Unread || x.Trivial {
			continue
		}
		value := p.FitACL(x.Name, x.Value, dst.Mode)
		there := find(dst.Xattrs, x.Name)
		set(report.DiffXattr, there == nil || !bytes.Equal(there.Value, value))
	}
	for _, x := range dst.Xattrs {
		fate := p.Xattr(x.Name)
		extra := !x.Trivial && find(src.Xattrs, x.Name) == nil
		set(report.DiffXattr, fate&(Copies|Deletes) == Copies|Deletes && k.keeps(fate) && extra)
	}
	return d
}

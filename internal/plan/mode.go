package plan

import (
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

const setID = fs.ModeSetuid | fs.ModeSetgid

// Access describes what determines who can access a new entry, in addition to its mode.
type Access struct {
	ACL         bool // the entry gets or inherits an ACL
	ChangeOwner bool // the entry is given to another user or group
	SetXattrs   bool // extended attributes are set, for which the owner needs write permission
}

// FirstFileMode returns the rwx bits to create a file with, if its final mode is mode: no other user may read
// it before its owner and ACL are set, and its owner must be able to set its attributes.
func FirstFileMode(mode fs.FileMode, a Access) fs.FileMode {
	perm := mode.Perm()
	switch {
	case mode&setID != 0 || a.ACL:
		perm &= 0o700
	case a.ChangeOwner:
		all := perm >> 6 & (perm >> 3) & perm & 0o7 // rights that owner, group and others all finally have
		perm = perm&0o700 | all<<3 | all
	}
	if a.SetXattrs {
		perm |= 0o200
	}
	return perm
}

// FirstDirMode returns the rwx bits of a new directory until everything in it is done. Its owner gets all
// bits. No other user may write in it if its owner changes at the end, or if a restriction such as an ACL is
// set only then. If the source has an ACL, its group bits, which are the mask of the ACL, are not granted.
func FirstDirMode(mode fs.FileMode, a Access, sourceHasACL bool) fs.FileMode {
	perm := mode.Perm() | 0o700
	if a.ChangeOwner || a.ACL || mode&fs.ModeSticky != 0 {
		perm &^= 0o022
	}
	if sourceHasACL {
		perm &^= 0o070
	}
	return perm
}

// ChangesOwner reports whether a new file must be given to another user or group, as far as that is known.
// made has the owner and group of another file made in the same directory, or is nil. The new file may get
// the group of the directory dir.
func ChangesOwner(k metadata.Keep, u vfs.User, want vfs.Attr, made *vfs.Attr, dir vfs.Attr) bool {
	if made != nil {
		return k.Owner && want.UID != made.UID || k.Group && want.GID != made.GID
	}
	return k.Owner && int(want.UID) != u.UID ||
		k.Group && (int(want.GID) != u.GID || want.GID != dir.GID)
}

// DirMode returns the final mode of a directory, given the mode src of the source, and the mode found of the
// destination directory when it was found or made. A new directory gets the mode of the source. The rwx bits
// of an existing directory stay unless k says otherwise, because it may be /tmp or the home of another user;
// the same applies to the root of the destination if only rwx bits are preserved. But a directory that an
// interrupted run has made accessible to its owner gets the mode that this run would have set.
func DirMode(k metadata.Keep, src, found fs.FileMode, isNew, isRoot bool) fs.FileMode {
	perm := found.Perm()
	switch {
	case k.Perms:
		return src
	case isNew:
		perm = src.Perm()
	case k.NoPerms:
	case k.Modes && !isRoot, found.Perm() == src.Perm()|0o700:
		perm = src.Perm()
	}
	return fs.ModeDir | perm
}

// CurrentMode returns the mode that an entry whose contents are up to date should have.
func CurrentMode(k metadata.Keep, src, dst fs.FileMode) fs.FileMode {
	if k.Modes || k.Perms {
		return src
	}
	return src.Type() | keptPerm(k, src, dst).Perm()
}

// keptPerm returns dst, the mode of a file that keeps its mode, with x bits adjusted as k requires.
func keptPerm(k metadata.Keep, src, dst fs.FileMode) fs.FileMode {
	const x = 0o111
	switch {
	case !k.NoPerms || !k.Executable || !src.IsRegular():
	case src&x == 0:
		return dst &^ x
	case dst&x == 0:
		return dst | dst&0o444>>2 // those who may read it may execute it
	}
	return dst
}

// KeepMode gives want, a file that replaces dst, the mode of dst if modes are not preserved, and also the
// owner and group that its set-id bits apply to. It reports whether it changed want.
func KeepMode(k metadata.Keep, want *vfs.Attr, dst vfs.Attr) bool {
	if !k.NoPerms || !dst.Mode.IsRegular() {
		return false
	}
	want.Mode = keptPerm(k, want.Mode, dst.Mode)
	if !k.Owner {
		want.UID = dst.UID
	}
	if !k.Group {
		want.GID = dst.GID
	}
	return true
}

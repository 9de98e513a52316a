package plan

import (
	"io/fs"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

const setID = fs.ModeSetuid | fs.ModeSetgid

// Access says what, besides its mode, decides who gets at a new entry.
type Access struct {
	ACL         bool // it gets an ACL, or inherits one
	ChangeOwner bool // it is given to another user or group
	SetXattrs   bool // attributes are set that need the owner's permission to write
}

// FirstFileMode returns the rwx bits to make a file with that is to get a mode: nobody else may read it before
// it is theirs, and its owner must be able to set its attributes.
func FirstFileMode(mode fs.FileMode, a Access) fs.FileMode {
	perm := mode.Perm()
	switch {
	case mode&setID != 0 || a.ACL:
		perm &= 0o700
	case a.ChangeOwner:
		all := perm >> 6 & (perm >> 3) & perm & 0o7 // what whoever it belongs to will have in the end
		perm = perm&0o700 | all<<3 | all
	}
	if a.SetXattrs {
		perm |= 0o200
	}
	return perm
}

// FirstDirMode returns the rwx bits of a new directory until everything in it is done: all for its
// owner, but nobody else may write in it if it is given away or gets what restricts them only then,
// as an ACL may. If the source has an ACL, the group does not get what is the mask of that.
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

// ChangesOwner reports whether a new file must be given to another user or group, as far as that is
// known: made is what a file got that was made in the same directory, or nil, and dir is the
// directory, whose group it may get.
func ChangesOwner(k metadata.Keep, u vfs.User, want vfs.Attr, made *vfs.Attr, dir vfs.Attr) bool {
	if made != nil {
		return k.Owner && want.UID != made.UID || k.Group && want.GID != made.GID
	}
	return k.Owner && int(want.UID) != u.UID ||
		k.Group && (int(want.GID) != u.GID || want.GID != dir.GID)
}

// DirMode returns the mode that a directory is to end up with, given that of the source and that of the
// destination as it was found, or was made. A new one gets that of the source. The rwx bits of an existing
// one stay, unless k says otherwise: it may be /tmp, or the home of others, and so may the root of the
// destination be if only rwx bits are kept. But a directory that an interrupted run has left open to
// its owner, so as to work in it, gets what that run was about to give it.
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

// CurrentMode returns the mode that an entry is to have whose contents are up to date.
func CurrentMode(k metadata.Keep, src, dst fs.FileMode) fs.FileMode {
	if k.Modes || k.Perms {
		return src
	}
	return src.Type() | dst.Perm()
}

// KeepMode gives a file that replaces another one, dst, the mode of that where no modes are kept, and
// with it the owner and group whose rights its set-id bits grant. It reports whether it did.
func KeepMode(k metadata.Keep, want *vfs.Attr, dst vfs.Attr) bool {
	if !k.NoPerms || !dst.Mode.IsRegular() {
		return false
	}
	want.Mode = dst.Mode
	if !k.Owner {
		want.UID = dst.UID
	}
	if !k.Group {
		want.GID = dst.GID
	}
	return true
}

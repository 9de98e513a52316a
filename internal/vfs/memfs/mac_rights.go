package memfs

import (
	"io/fs"
	"syscall"
)

// Rights are what may be done to an entry: the KAUTH_VNODE_* bits of macOS, which
// its ACLs hold too. Some have another name for directories.
type rights uint32

const (
	rightRead          rights = 1 << 1 // or list
	rightWrite         rights = 1 << 2 // or add a file
	rightExecute       rights = 1 << 3 // or search
	rightDelete        rights = 1 << 4
	rightAppend        rights = 1 << 5 // or add a directory
	rightDeleteChild   rights = 1 << 6
	rightWriteAttr     rights = 1 << 8
	rightReadXattr     rights = 1 << 9
	rightWriteXattr    rights = 1 << 10
	rightWriteSecurity rights = 1 << 12
	rightLink          rights = 1 << 25

	rightsToAdd    = rightWrite | rightAppend
	rightsToRead   = rightRead | rightReadXattr
	rightsToWrite  = rightsToAdd | rightDeleteChild | rightWriteXattr
	rightsOfOwner  = rightWriteAttr | rightWriteSecurity
	rightsToChange = rightsToWrite | rightsOfOwner | rightDelete | rightLink
)

// toAdd returns the right to a directory that making an entry of a type takes.
func toAdd(mode fs.FileMode) rights {
	if mode.IsDir() {
		return rightAppend
	}
	return rightWrite
}

// Flags of chflags(2).
const (
	flagImmutable  = 0x2
	flagCompressed = 0x20
	flagDataVault  = 0x80
	flagHidden     = 0x8000
	flagArchived   = 0x10000
	flagRestricted = 0x80000
	flagNoUnlink   = 0x100000
	flagDataless   = 0x40000000

	flagsImmutable = flagImmutable | 0x20000 // of the owner, of root
	flagsAppend    = 0x4 | 0x40000
	flagsLock      = flagsImmutable | flagsAppend | flagNoUnlink
	flagsOfOwner   = 0xffff &^ flagDataVault // that an owner may change
	flagsOfRoot    = flagsOfOwner | 0x70000 | flagNoUnlink
	flagsOfFAT     = flagsImmutable | flagHidden | flagArchived
)

// may asks flags first, which bind everybody, then whether the caller is root, then
// the ACL, and the mode about what is left.
func (k *mac) may(n *inode, want rights) error {
	switch {
	case k.free:
		return nil
	case want&rightRead != 0 && n.private, locked(n, want):
		return syscall.EPERM
	case k.UID == 0:
		return nil
	}
	if k.owns(n) {
		want &^= rightWriteSecurity // no ACL takes that away
	}
	denied, left := k.judge(n, want)
	switch {
	case denied != 0:
		return syscall.EACCES
	case left&rightsOfOwner != 0 && !k.owns(n):
		return syscall.EPERM
	case left&rightsToRead != 0 && !k.mode(n, 4),
		left&rightsToWrite != 0 && !k.mode(n, 2),
		left&rightExecute != 0 && !k.mode(n, 1):
		return syscall.EACCES
	}
	return nil
}

// mode reports whether the bits that count for the caller hold one of rwx.
func (k *mac) mode(n *inode, bit fs.FileMode) bool {
	switch {
	case k.OwnersIgnored, k.UID == n.UID:
		bit <<= 6
	case k.member(n.GID):
		bit <<= 3
	}
	return n.Mode&bit != 0
}

// locked reports whether flags forbid to do what is wanted.
func locked(n *inode, want rights) bool {
	want &= rightsToChange
	if n.Mode.IsDir() && want&^rightsToAdd == 0 && n.Flags&flagsImmutable == 0 {
		return false // adding is appending
	}
	if want&rightDelete != 0 && n.Flags&flagNoUnlink != 0 {
		return true
	}
	return want != 0 && n.Flags&(flagsImmutable|flagsAppend) != 0
}

// mayDelete asks the flags of both, then the ACL of the entry, that of the
// directory, and the mode of the directory.
func (k *mac) mayDelete(dir, n *inode) error {
	switch {
	case k.free:
		return nil
	case locked(dir, rightDeleteChild), locked(n, rightDelete):
		return syscall.EPERM
	case k.UID == 0:
		return nil
	}
	denied, left := k.judge(n, rightDelete)
	if denied != 0 {
		return syscall.EACCES
	}
	if left == 0 {
		return nil
	}
	denied, left = k.judge(dir, rightDeleteChild)
	sticky := dir.Mode&fs.ModeSticky != 0 && !k.owns(n) && !k.owns(dir)
	if denied != 0 || left != 0 && (sticky || !k.mode(dir, 2)) {
		return syscall.EACCES
	}
	return nil
}

// fetch refuses what would have to come from a server.
func (k *mac) fetch(n *inode) error {
	if n.Flags&flagDataless != 0 && !k.free {
		return syscall.EDEADLK
	}
	return nil
}

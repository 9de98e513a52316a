package kernel

import (
	"io/fs"
	"syscall"
)

// Rights are what may be done to an entry: the KAUTH_VNODE_* bits of macOS, which its ACLs also hold. Some have another
// name for directories.
type Rights uint32

const (
	RightRead          Rights = 1 << 1 // or list
	RightWrite         Rights = 1 << 2 // or add a file
	RightExecute       Rights = 1 << 3 // or search
	RightDelete        Rights = 1 << 4
	RightAppend        Rights = 1 << 5 // or add a directory
	RightDeleteChild   Rights = 1 << 6
	RightWriteAttr     Rights = 1 << 8
	RightReadXattr     Rights = 1 << 9
	RightWriteXattr    Rights = 1 << 10
	RightWriteSecurity Rights = 1 << 12
	RightLink          Rights = 1 << 25

	rightsToAdd    = RightWrite | RightAppend
	rightsToRead   = RightRead | RightReadXattr
	rightsToWrite  = rightsToAdd | RightDeleteChild | RightWriteXattr
	rightsOfOwner  = RightWriteAttr | RightWriteSecurity
	rightsToChange = rightsToWrite | rightsOfOwner | RightDelete | RightLink
)

// ToAdd returns the right to a directory that is needed to make an entry of the given type.
func ToAdd(mode fs.FileMode) Rights {
	if mode.IsDir() {
		return RightAppend
	}
	return RightWrite
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
	flagsOfOwner   = 0xffff &^ flagDataVault // flags that an owner may change
	flagsOfRoot    = flagsOfOwner | 0x70000 | flagNoUnlink
	flagsOfFAT     = flagsImmutable | flagHidden | flagArchived
)

// May checks the flags first, which apply to every user, then whether the caller is root, then the ACL, and then the
// mode for the remaining rights.
func (k *XNU) May(n *Inode, want Rights) error {
	switch {
	case k.Free:
		return nil
	case want&RightRead != 0 && n.private, locked(n, want):
		return syscall.EPERM
	case k.UID == 0:
		return nil
	}
	if k.owns(n) {
		want &^= RightWriteSecurity // no ACL takes away this right
	}
	denied, left := checkACL(n, want)
	switch {
	case denied != 0:
		return syscall.EACCES
	case left&rightsOfOwner != 0 && !k.owns(n):
		return syscall.EPERM
	case left&rightsToRead != 0 && !k.mode(n, 4),
		left&rightsToWrite != 0 && !k.mode(n, 2),
		left&RightExecute != 0 && !k.mode(n, 1):
		return syscall.EACCES
	}
	return nil
}

// mode reports whether the mode bits that apply to the caller include bit, one of rwx.
func (k *XNU) mode(n *Inode, bit fs.FileMode) bool {
	switch {
	case k.OwnersIgnored, k.UID == n.UID:
		bit <<= 6
	case k.member(n.GID):
		bit <<= 3
	}
	return n.Mode&bit != 0
}

// locked reports whether flags forbid what is wanted.
func locked(n *Inode, want Rights) bool {
	want &= rightsToChange
	if n.Mode.IsDir() && want&^rightsToAdd == 0 && n.Flags&flagsImmutable == 0 {
		return false // adding is appending
	}
	if want&RightDelete != 0 && n.Flags&flagNoUnlink != 0 {
		return true
	}
	return want != 0 && n.Flags&(flagsImmutable|flagsAppend) != 0
}

// MayDelete checks the flags of both, then the ACL of the entry, the ACL of the directory, and the mode of the
// directory.
func (k *XNU) MayDelete(dir, n *Inode) error {
	switch {
	case k.Free:
		return nil
	case locked(dir, RightDeleteChild), locked(n, RightDelete):
		return syscall.EPERM
	case k.UID == 0:
		return nil
	}
	denied, left := checkACL(n, RightDelete)
	if denied != 0 {
		return syscall.EACCES
	}
	if left == 0 {
		return nil
	}
	denied, left = checkACL(dir, RightDeleteChild)
	sticky := dir.Mode&fs.ModeSticky != 0 && !k.owns(n) && !k.owns(dir)
	if denied != 0 || left != 0 && (sticky || !k.mode(dir, 2)) {
		return syscall.EACCES
	}
	return nil
}

// Fetch refuses contents that would have to come from a server.
func (k *XNU) Fetch(n *Inode) error {
	if n.Flags&flagDataless != 0 && !k.Free {
		return syscall.EDEADLK
	}
	return nil
}

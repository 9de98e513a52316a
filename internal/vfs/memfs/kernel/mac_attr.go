package kernel

import (
	"encoding/binary"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// provenance is the attribute that is stamped on what an application makes.
const provenance = "com.apple.provenance"

// Made gives a new entry its owner, the group of its directory, what it inherits, and
// a stamp that no other has.
func (k *XNU) Made(dir *Inode, name string, n *Inode) {
	n.UID, n.GID = k.UID, dir.GID
	n.private = n.Mode.IsDir() && slices.Contains(k.Private, name)
	if dir == n { // the root
		n.GID = k.GID
	}
	switch {
	case n.Mode.Type() == fs.ModeSymlink:
		n.Mode = fs.ModeSymlink | 0o755
	case k.Share:
		n.setXattr(ACLName, serverACL())
	case !k.FAT:
		inherit(dir, n)
	}
	if !k.NoXattrs && !k.AppleDouble && !n.special() {
		n.setXattr(provenance, binary.LittleEndian.AppendUint64([]byte{1, 2, 0}, n.Dev<<32|n.Ino))
	}
}

// Rewrites makes a compressed file an ordinary one before anything is written (hfs_vnops.c:474).
func (k *XNU) Rewrites(n *Inode) {
	if !k.Free && n.Flags&flagCompressed != 0 {
		n.Flags &^= flagCompressed
		delete(n.Xattrs, decmpfs)
	}
}

// Written clears the flag of an archived file where flags are those of DOS.
func (k *XNU) Written(n *Inode) {
	if k.hasDOSFlags() {
		n.Flags &^= flagArchived
	}
}

// Attr returns the attributes as far as the volume can keep them.
func (k *XNU) Attr(n *Inode) vfs.Attr {
	a := n.attr()
	if k.OwnersIgnored {
		a.UID, a.GID = k.UID, k.GID
	}
	if k.FAT {
		a.Btime = time.Time{}
	}
	if k.hasDOSFlags() {
		a.Flags = fatFlags(n, n.Flags)
	}
	for _, t := range []*time.Time{&a.Mtime, &a.Atime, &a.Btime} {
		*t = t.Truncate(k.granularity())
	}
	return a
}

// Mknod makes fifos for every user, devices for root, and no sockets. FAT has none of these (msdosfs_vnop_mknod).
func (k *XNU) Mknod(mode fs.FileMode) error {
	switch {
	case mode.Type() == fs.ModeSocket:
		return syscall.ENOTSUP
	case k.FAT:
		return syscall.EINVAL
	case mode.Type() != fs.ModeNamedPipe && k.UID != 0 && !k.Free:
		return syscall.EPERM
	}
	return nil
}

func (k *XNU) Chmod(n *Inode, mode fs.FileMode) error {
	if err := k.May(n, RightWriteSecurity); err != nil {
		return err
	}
	if mode&fs.ModeSetgid != 0 && k.UID != 0 && !k.Free && !k.OwnersIgnored && !k.member(n.GID) {
		return syscall.EPERM
	}
	if k.serves() {
		mode &= fs.ModePerm
	}
	n.chmod(mode)
	return nil
}

func (k *XNU) Chown(n *Inode, uid, gid int) error {
	if err := k.May(n, RightWriteSecurity); err != nil || k.OwnersIgnored || k.serves() {
		return err
	}
	if k.UID != 0 && !k.Free {
		switch {
		case uid != -1 && uint32(uid) != n.UID,
			gid != -1 && uint32(gid) != n.GID && !k.member(uint32(gid)):
			return syscall.EPERM
		}
	}
	n.chown(uid, gid)
	return nil
}

func (k *XNU) Chtimes(n *Inode, atime, mtime time.Time) error {
	if err := k.May(n, RightWriteAttr); err != nil {
		return err
	}
	n.chtimes(atime, mtime)
	k.Written(n)
	if !mtime.IsZero() && mtime.Before(n.Btime) {
		n.Btime = mtime
	}
	return nil
}

func (k *XNU) SetBtime(n *Inode, t time.Time) error {
	if k.FAT {
		return syscall.ENOTSUP
	}
	if err := k.May(n, RightWriteAttr); err != nil {
		return err
	}
	n.Btime = t
	return nil
}

func (k *XNU) Flags(n *Inode) (uint32, error) {
	return k.Attr(n).Flags, nil
}

// SetFlags is only for the owner, and may unlock what is locked. FAT, like SMB, refuses all flags if it does not know
// one of them (msdosfs_vnops.c:553, smbfs_vnops.c:5983).
func (k *XNU) SetFlags(n *Inode, flags uint32) error {
	if k.Free {
		n.Flags = flags
		return nil
	}
	flags = flags&^flagCompressed | n.Flags&flagCompressed
	may := uint32(flagsOfOwner)
	if k.UID == 0 {
		may = flagsOfRoot
	}
	if !k.owns(n) || (flags^n.Flags)&^may != 0 {
		return syscall.EPERM
	}
	if k.hasDOSFlags() {
		if flags&^flagsOfFAT != 0 {
			return syscall.EINVAL
		}
		flags = fatFlags(n, flags)
	}
	n.Flags = flags
	return nil
}

// fatFlags returns the flags of an entry that FAT keeps. It has attributes for files that are read-only or need to be
// archived, and for entries that are hidden (msdosfs_vnops.c:464, 561-577).
func fatFlags(n *Inode, flags uint32) uint32 {
	if n.Mode.IsDir() {
		return flags & flagHidden
	}
	if flags&flagsImmutable != 0 {
		flags |= flagImmutable
	}
	return flags & (flagHidden | flagArchived | flagImmutable)
}

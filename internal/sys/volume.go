package sys

import (
	"time"

	"psync/internal/vfs"
)

// The units of the times of file systems.
const (
	dosTick   = 2 * time.Second
	exfatTick = 10 * time.Millisecond
	ntfsTick  = 100 * time.Nanosecond // also that of the SMB protocol
)

// magicVolume returns what is known about a file system by its magic number on Linux, from linux/magic.h or
// its own headers. If a server or a process decides about times, as with NFS and FUSE, their granularity is
// unknown.
func magicVolume(magic uint32) vfs.Volume {
	switch magic {
	case 0x4d44: // vfat, msdos
		return vfs.Volume{Granularity: dosTick, Folds: true}
	case 0x2011bab0: // exfat
		return vfs.Volume{Granularity: exfatTick, Folds: true}
	case 0x4244, 0x482b: // hfs, hfsplus
		return vfs.Volume{Granularity: time.Second, Folds: true}
	case 0x9660: // iso9660
		return vfs.Volume{Granularity: time.Second}
	case 0x15013346: // udf
		return vfs.Volume{Granularity: time.Microsecond}
	case 0x5346544e, 0x7366746e: // ntfs, ntfs3
		return vfs.Volume{Granularity: ntfsTick, Folds: true}
	case 0xff534d42, 0xfe534d42: // cifs, smb2
		return vfs.Volume{Network: true, Granularity: ntfsTick}
	case 0x517b: // smbfs, of kernels before 2.6.37
		return vfs.Volume{Network: true, Granularity: dosTick}
	case 0x6969: // nfs
		return vfs.Volume{Network: true, SlowExclusive: true}
	case 0x65735546, // fuse
		0x00c36400,             // ceph
		0x01021997,             // 9p
		0x5346414f, 0x6b414653, // afs
		0x73757245, // coda
		0x564c,     // ncpfs
		0x7461636f, // ocfs2
		0x0bd00bd0, // lustre
		0x01161970: // gfs2
		return vfs.Volume{Network: true}
	case 0xef53, // ext2, ext3, ext4
		0x58465342, // xfs
		0x9123683e, // btrfs
		0x01021994, // tmpfs
		0x858458f6, // ramfs
		0x2fc12fc1, // zfs
		0xf2f52010, // f2fs
		0xca451a4e: // bcachefs
		return vfs.Volume{KeepsAttrs: true}
	case 0x794c7630: // overlayfs, whose upper layer is one of these
		return vfs.Volume{KeepsAttrs: true, CopiesUp: true}
	}
	return vfs.Volume{}
}

// namedVolume returns what is known about a file system by its name on macOS or FreeBSD. Apple's file systems
// ignore how a letter is composed, even if they are case-sensitive; SMB uses one form on the wire.
func namedVolume(name string) vfs.Volume {
	switch name {
	case "msdos", "msdosfs":
		return vfs.Volume{Granularity: dosTick, Folds: true, DOSFlags: true}
	case "exfat":
		return vfs.Volume{Granularity: exfatTick, Folds: true, DOSFlags: true}
	case "apfs":
		return vfs.Volume{Folds: true, KeepsAttrs: true}
	case "hfs":
		return vfs.Volume{Granularity: time.Second, Folds: true, KeepsAttrs: true}
	case "ufs", "zfs", "tmpfs":
		return vfs.Volume{KeepsAttrs: true}
	case "cd9660":
		return vfs.Volume{Granularity: time.Second}
	case "smbfs":
		return vfs.Volume{Granularity: ntfsTick, Folds: true, DOSFlags: true}
	case "ntfs":
		return vfs.Volume{Granularity: ntfsTick, Folds: true}
	case "udf":
		return vfs.Volume{Granularity: time.Microsecond}
	case "nfs":
		return vfs.Volume{SlowExclusive: true}
	}
	return vfs.Volume{}
}

// lacksXattrs reports whether macOS stores the extended attributes of a file system in separate
// files. It is used for volumes that do not say so themselves.
func lacksXattrs(name string) bool { return name == "msdos" || name == "exfat" || name == "nfs" }

// serverACLs reports whether the ACLs that macOS shows on a file system are those of a server. On SMB it
// derives them from the server's ACLs for Windows accounts, and each entry has one.
func serverACLs(name string) bool { return name == "smbfs" || name == "afpfs" || name == "nfs" }

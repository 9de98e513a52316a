package sys

import "time"

// What file systems count times in.
const (
	dosTick   = 2 * time.Second
	exfatTick = 10 * time.Millisecond
	ntfsTick  = 100 * time.Nanosecond // of the protocol of Windows, too
)

// magicVolume knows file systems by the numbers that Linux gives them, which are those
// of its linux/magic.h and of their own headers. Where the server or a process
// decides about times, as with NFS and FUSE, nothing is known of them.
func magicVolume(magic uint32) (network bool, granularity time.Duration) {
	switch magic {
	case 0x4d44: // vfat, msdos
		return false, dosTick
	case 0x2011bab0: // exfat
		return false, exfatTick
	case 0x4244, 0x482b, 0x9660: // hfs, hfsplus, iso9660
		return false, time.Second
	case 0x15013346: // udf
		return false, time.Microsecond
	case 0x5346544e, 0x7366746e: // ntfs, ntfs3
		return false, ntfsTick
	case 0xff534d42, 0xfe534d42: // cifs, smb2
		return true, ntfsTick
	case 0x517b: // smbfs, of kernels before 2.6.37
		return true, dosTick
	case 0x6969, // nfs
		0x65735546,             // fuse
		0x00c36400,             // ceph
		0x01021997,             // 9p
		0x5346414f, 0x6b414653, // afs
		0x73757245, // coda
		0x564c,     // ncpfs
		0x7461636f, // ocfs2
		0x0bd00bd0, // lustre
		0x01161970: // gfs2
		return true, 0
	}
	return false, 0
}

// namedVolume returns the granularity of a file system that macOS or FreeBSD calls
// by this name, or 0 if it is not known.
func namedVolume(name string) time.Duration {
	switch name {
	case "msdos", "msdosfs":
		return dosTick
	case "exfat":
		return exfatTick
	case "hfs", "cd9660":
		return time.Second
	case "smbfs", "ntfs":
		return ntfsTick
	case "udf":
		return time.Microsecond
	}
	return 0
}

package sys

import "golang.org/x/sys/unix"

// SetBtime sets the creation time of an open file. The modification time has to be
// set first: setting it before the creation time moves that along (setattrlist(2)).
func SetBtime(fd int, t unix.Timespec) error {
	list := commonAttr(unix.ATTR_CMN_CRTIME)
	return fattrlist(fsetattrlistAddr, fd, &list, timeAttr(t.Sec, t.Nsec))
}

// SetBtimeAt is SetBtime for an entry by name. It does not follow a symbolic link.
func SetBtimeAt(dirfd int, name string, t unix.Timespec) error {
	list := commonAttr(unix.ATTR_CMN_CRTIME)
	return attrlistat(setattrlistatAddr, dirfd, name, &list, timeAttr(t.Sec, t.Nsec))
}

// Lchflagsat sets the flags of an entry. It does not follow a symbolic link.
func Lchflagsat(dirfd int, name string, flags uint32) error {
	list := commonAttr(unix.ATTR_CMN_FLAGS)
	return attrlistat(setattrlistatAddr, dirfd, name, &list, flagsAttr(flags))
}

// commonAttr asks for common attributes of getattrlist(2).
func commonAttr(bits uint32) unix.Attrlist {
	return unix.Attrlist{Bitmapcount: unix.ATTR_BIT_MAP_COUNT, Commonattr: bits}
}

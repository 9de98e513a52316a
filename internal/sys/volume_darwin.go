package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// pcCaseSensitive is _PC_CASE_SENSITIVE of pathconf(2), which x/sys lacks.
const pcCaseSensitive = 11

// inspect adds to v what the volume reports about itself.
func inspect(v *vfs.Volume, fd int, st *unix.Statfs_t) {
	if sensitive, err := unix.Fpathconf(fd, pcCaseSensitive); err == nil && sensitive == 0 {
		v.Folds = true
	}
	v.OwnersIgnored = st.Flags&unix.MNT_IGNORE_OWNERSHIP != 0
	name := unix.ByteSliceToString(st.Fstypename[:])
	v.ServerACLs = serverACLs(name)
	mountPoint := unix.ByteSliceToString(st.Mntonname[:])
	v.RootIno = rootIno(fd, mountPoint)
	keeps, ok := keepsXattrs(mountPoint)
	if !ok {
		keeps = !lacksXattrs(name)
	}
	v.AppleDouble = !keeps
	v.LacksACLs = !keeps && !v.ServerACLs // unlike extended attributes, ACLs are never kept in AppleDouble files
}

// rootIno returns the inode number of the root of the volume of fd, which is mounted at mountPoint, or 0 if
// something else has been mounted there since.
func rootIno(fd int, mountPoint string) uint64 {
	var st, root unix.Stat_t
	if Fstat(fd, &st) != nil || Lstatat(unix.AT_FDCWD, mountPoint, &root) != nil || root.Dev != st.Dev {
		return 0
	}
	return root.Ino
}

// keepsXattrs reports whether the volume mounted at mountPoint stores extended attributes natively.
// getattrlist(2) returns capabilities only for the root of a volume (xnu, bsd/vfs/vfs_attrlist.c), and only
// together with ATTR_VOL_INFO.
func keepsXattrs(mountPoint string) (keeps, ok bool) {
	list := unix.Attrlist{Bitmapcount: unix.ATTR_BIT_MAP_COUNT, Volattr: unix.ATTR_VOL_INFO | unix.ATTR_VOL_CAPABILITIES}
	var reply [capabilitiesReply]byte
	if err := getattrlist(mountPoint, &list, reply[:]); err != nil {
		return false, false
	}
	return parseKeepsXattrs(reply[:])
}

package sys

import "golang.org/x/sys/unix"

// IsNetwork reports whether the file system of fd answers over a network, or
// through a process of its own, so that an operation may take a round trip.
func IsNetwork(fd int) (bool, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return false, err
	}
	switch uint32(st.Type) {
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC,
		unix.FUSE_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.V9FS_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC,
		unix.CODA_SUPER_MAGIC, unix.NCP_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC, lustre, gfs2:
		return true, nil
	}
	return false, nil
}

// Magic numbers that x/sys lacks; lustre's from its lustre_idl.h, gfs2's from
// the kernel's gfs2_ondisk.h.
const (
	lustre = 0x0BD00BD0
	gfs2   = 0x01161970
)

package localfs

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

const (
	// minForLooks is how many entries a part of a listing must have for keepAttrs to look one up. Linux returns as
	// many as the buffer holds, or 16 in the first part on newer kernels, and fewer than minForLooks only at the end.
	minForLooks = 8
	// looks is how often keepAttrs looks up an entry. Linux requires 9 lookups; see keepAttrs.
	looks = 16
	// candidates is how many entries keepAttrs tries to open. The server may have withheld the attributes of one.
	candidates = 4
)

// keepAttrs makes the NFS client continue to list the directory fd with READDIRPLUS, which brings the attributes of the
// entries with their names. entries is the part that was listed last. keepAttrs returns how often it looked one of them
// up.
//
// The client uses READDIRPLUS for the first getdents64(2) of a listing. For each later one it does so only if
// attributes of entries of the directory were looked up more than 8 times since the one before
// (NFS_READDIR_CACHE_USAGE_THRESHOLD in fs/nfs/dir.c). Without READDIRPLUS not even the types of entries are known, so
// ReadDir has to look up the entries one by one, at a round trip each. So keepAttrs repeatedly looks up an entry that
// the client has cached; for the client it need not be a different one each time. This never takes a round trip,
// because if no entry is cached, keepAttrs does nothing. It is called before the entries are passed on, because they
// may be removed after that.
func keepAttrs(fd int, entries []vfs.Entry) (looked int) {
	if len(entries) < minForLooks {
		return 0
	}
	entry, ok := openCached(fd, entries)
	if !ok {
		return 0
	}
	defer unix.Close(entry)
	for range looks {
		_, _ = identity(entry, "", unix.AT_EMPTY_PATH) // only for its effect on the client, which counts the request
	}
	return looks
}

// openCached opens one of the last entries of the directory dirfd, without asking the server. ok is false if none
// that it tries is cached.
func openCached(dirfd int, entries []vfs.Entry) (fd int, ok bool) {
	for i := range min(candidates, len(entries)) {
		if fd, err := sys.OpenCached(dirfd, entries[len(entries)-1-i].Name); err == nil {
			return fd, true
		}
	}
	return -1, false
}

// A deviceSet is a set of device numbers. The zero value is empty.
type deviceSet struct {
	some    atomic.Bool // it is not empty
	devices sync.Map    // of uint64
}

// add adds the device of the open directory fd.
func (s *deviceSet) add(fd int) {
	if id, err := identity(fd, "", unix.AT_EMPTY_PATH); err == nil {
		s.devices.Store(id.Dev, true)
		s.some.Store(true)
	}
}

// has reports whether the set has the device of the open directory fd. It asks no server, and while the set is
// empty, not even the kernel.
func (s *deviceSet) has(fd int) bool {
	if !s.some.Load() {
		return false
	}
	id, err := identity(fd, "", unix.AT_EMPTY_PATH)
	if err != nil {
		return false
	}
	_, ok := s.devices.Load(id.Dev)
	return ok
}

// nfsDevices and smbDevices hold the NFS and SMB volumes on which Statfs was called for any directory. Only Statfs
// reports the kind of a volume, and calling it for each directory would take a round trip.
var nfsDevices, smbDevices deviceSet

// Statfs implements [vfs.Dir].
func (d *dir) Statfs() (vfs.Volume, error) {
	v, magic, err := sys.StatfsWithMagic(d.fd)
	switch {
	case err != nil:
	case magic == unix.NFS_SUPER_MAGIC:
		nfsDevices.add(d.fd)
	case magic == unix.SMB2_SUPER_MAGIC, magic == unix.CIFS_SUPER_MAGIC:
		smbDevices.add(d.fd)
	}
	return v, vfs.PathError("statfs", ".", err)
}

package localfs

import (
	"errors"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// caps are the optional operations offered on macOS. Asking for holes has lost data, because APFS answers from what has
// reached the disk. F_PUNCHHOLE only accepts whole blocks.
const caps = vfs.CanNode | vfs.HasIdentity | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanCloneFile | vfs.PrefersUncached

func (f *file) Fallocate(mode vfs.FallocateMode, _, size int64) error {
	if mode != vfs.Preallocate {
		return errors.ErrUnsupported
	}
	store := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: size}
	return callOptional(string(mode), f.name, func() error {
		return unix.FcntlFstore(uintptr(f.fd), unix.F_PREALLOCATE, &store)
	})
}

package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// caps are what is offered here. To ask for holes has lost data: APFS answers from what has reached the
// disk. F_PUNCHHOLE is for whole blocks only.
const caps = vfs.CanPreallocate | vfs.CanNode |
	vfs.HasIdentity | vfs.CanFollow | vfs.CanConfine | vfs.CanRewrite | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanCloneFile | vfs.PrefersUncached

func (f *file) Preallocate(size int64) error {
	store := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: size}
	return callOptional("preallocate", f.name, func() error {
		return unix.FcntlFstore(uintptr(f.fd), unix.F_PREALLOCATE, &store)
	})
}

// BypassCache implements [vfs.File]. It is a hint, so it does not matter whether the file
// system takes it.
func (f *file) BypassCache() { _, _ = unix.FcntlInt(uintptr(f.fd), unix.F_NOCACHE, 1) }

// Uncache implements [vfs.File]. What is cached already stays.
func (f *file) Uncache() error {
	if err := sys.IgnoringEINTR(func() error { return unix.Fsync(f.fd) }); err != nil {
		return pathError("fsync", f.name, err)
	}
	f.BypassCache()
	return nil
}

package memfs

import (
	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// A Mac says what an [FS] made by [NewMac] simulates.
type Mac = kernel.Mac

// NewMac returns an empty file system that behaves like macOS where that differs from Linux and can mislead a copier.
// [FS.Plant] makes what these rules do not let a caller make.
//
//   - A caller who is not root needs mode bits, for extended attributes too and whatever a
//     handle was opened for; what only an owner may do is denied to others. Owners are
//     changed only by root, groups by a member, and that removes set-id bits.
//   - An ACL denies and permits before the mode does. Entries inherit from the ACL of
//     their directory. Symbolic links have none.
//   - An entry that is locked by a flag stays as it is, even for root, until SetFlags
//     unlocks it: it cannot be changed, renamed or removed, and a directory gets no entries.
//     An append-only directory accepts new ones. SetFlags changes only those flags
//     that the caller may change, and leaves UF_COMPRESSED alone. Opening a file for
//     writing clears UF_COMPRESSED.
//   - A modification time before the creation time also becomes the creation time.
//   - Every entry is stamped with a com.apple.provenance of its own. Some attributes
//     belong to the system: see kernel.XNU.SetXattr.
//   - Dataless files open, but have no contents to read, write, link or clone. Dataless
//     directories open, too, but cannot be listed (setiopolicy_np(3)).
//   - The root directory is that of a mounted volume.
//   - Symbolic links have modes, flags and extended attributes.
//   - On a share, all entries but links show an ACL of the server, which comes back without an error after
//     it is removed (smbfs_security.c:1179). An ACL that is set instead also permits or denies
//     synchronizing. Owners and bits beyond rwx are not kept either, and flags are those of DOS
//     (smbfs_vnops.c, smbfs_setattr).
//
// Its directories clone files and describe their volume; resource forks are long extended attributes.
func NewMac(m Mac) *FS { return newFS(&kernel.XNU{Mac: m}, m.Naming()) }

// Plant opens the root directory for a caller to whom no rule and no ownership applies: through it, any flag and
// attribute can be set and any directory opened. New entries still get what comes with making an entry. On a plain FS,
// Plant is the same as Root.
func (m *FS) Plant() vfs.Dir {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kernel
	if ruled, ok := k.(*kernel.XNU); ok {
		k = &kernel.XNU{Mac: ruled.Mac, Free: true}
	}
	root := handle{m: m, kernel: k}
	return root.newDir(m.root, ".")
}

package memfs

import (
	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// A Mac says what a [FS] made by [NewMac] simulates.
type Mac = kernel.Mac

// NewMac returns an empty file system that behaves as macOS does where that is
// different from Linux, and where it tempts a copier into mistakes. [FS.Plant]
// makes what its rules do not let a caller make.
//
//   - Who is not root needs mode bits, for extended attributes too and whatever a
//     handle was opened for; what an owner may do is denied to others. Owners are
//     given away by root only, groups by a member, and that takes set-id bits away.
//   - An ACL denies and permits before the mode does. Entries inherit from the ACL of
//     their directory. Symbolic links have none.
//   - An entry that is locked by a flag stays as it is, root or not, until SetFlags
//     unlocks it: no change, other name or removal, and in a directory no entries.
//     An append-only directory takes new ones. SetFlags changes those flags
//     only that the caller may, and lets UF_COMPRESSED be what it is. Opening a file for
//     writing clears that.
//   - A modification time before the time of birth becomes that too.
//   - Every entry is stamped with a com.apple.provenance of its own. Some attributes
//     belong to the system: see kernel.XNU.SetXattr.
//   - Dataless files open, but have no contents to read, write, link or clone. Dataless
//     directories open, too, but cannot be listed (setiopolicy_np(3)).
//   - The root directory is that of a mounted volume.
//   - Symbolic links have modes, flags and extended attributes.
//   - On a share, all entries but links show an ACL of the server, and forget without an error that
//     it is removed (smbfs_security.c:1179). One that is set instead permits or denies to synchronize,
//     too. Owners and bits beyond rwx are forgotten as well, and flags are those of DOS
//     (smbfs_vnops.c, smbfs_setattr).
//
// Its directories clone files and describe their volume; resource forks are long extended attributes.
func NewMac(m Mac) *FS { return newFS(&kernel.XNU{Mac: m}, m.Naming()) }

// Plant opens the root directory for one that no rule holds for, nor any ownership:
// through it, any flag and attribute can be set and any directory opened. What comes
// with making an entry, it gets too. On a plain FS it is the same as Root.
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

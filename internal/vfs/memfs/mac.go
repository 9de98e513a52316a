package memfs

import (
	"slices"
	"syscall"
	"time"
	"unicode/utf8"

	"psync/internal/vfs"
)

// A Mac says what a [FS] made by [NewMac] simulates. The zero value is the volume
// that macOS is installed on, in its variant that tells cases apart, used by root.
type Mac struct {
	UID, GID uint32   // of the caller, who owns the root directory; 0 is root
	Groups   []uint32 // that the caller is a member of, besides GID

	Folds         bool // names ignore case and composition, as those of APFS do
	Decomposes    bool // names are kept and listed decomposed, as those of HFS+ are
	OwnersIgnored bool // everything is the caller's, "ignore ownership on this volume"
	NoXattrs      bool // no extended attributes, as on some servers
	AppleDouble   bool // extended attributes are kept in an entry "._NAME"
	FAT           bool // few flags, no ACLs, times of birth or clones; times of two seconds

	Share bool // an SMB share: see NewMac

	// Tick is the smallest difference of two times that is kept, if the kind of volume does not say it.
	Tick time.Duration

	// Refused are the names of extended attributes that the caller lacks the entitlement
	// to set or remove. They can be listed and read.
	Refused []string

	// Private are the names of directories that nobody may list, root
	// included, as privacy protection (TCC) has it. They are looked at when a
	// directory is made.
	Private []string
}

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
//     belong to the system, and some have a form: see the rules of mac.setXattr.
//   - Dataless files open, but have no contents to read, write, link or clone. Dataless
//     directories open, too, but cannot be listed (setiopolicy_np(3)).
//   - The root directory is that of a mounted volume.
//   - Symbolic links have modes, flags and extended attributes.
//   - On a share, all entries but links show an ACL of the server, and forget without an error that
//     it is removed (smbfs_security.c:1179). One that is set instead permits or denies to synchronize,
//     too. Owners and bits beyond rwx are forgotten as well, and flags are those of DOS
//     (smbfs_vnops.c, smbfs_setattr).
//
// Its directories clone files and tell their volume, besides what those of a
// FS do; its files, and what Node returns, may have long extended attributes.
func NewMac(m Mac) *FS {
	k := &mac{Mac: m}
	n := &naming{check: checkUTF8, respells: true, companions: m.AppleDouble}
	if m.Folds || m.Decomposes {
		n.key = foldMac
	}
	if m.Decomposes {
		n.stored = decompose
	}
	return newFS(k, n)
}

// Plant opens the root directory for one that no rule holds for, nor any ownership:
// through it, any flag and attribute can be set and any directory opened. What comes
// with making an entry, it gets too. On a plain FS it is the same as Root.
func (m *FS) Plant() vfs.Dir {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kernel
	if ruled, ok := k.(*mac); ok {
		k = &mac{Mac: ruled.Mac, free: true}
	}
	root := handle{m: m, kernel: k}
	return root.newDir(m.root, ".")
}

// mac is the kernel of an FS made by [NewMac].
type mac struct {
	Mac
	free bool // no rule holds
}

// member reports whether the caller belongs to a group.
func (k *mac) member(gid uint32) bool { return gid == k.GID || slices.Contains(k.Groups, gid) }

// owns reports whether the caller may do what an owner may.
func (k *mac) owns(n *inode) bool {
	return k.free || k.UID == 0 || k.OwnersIgnored || k.Share || k.UID == n.UID
}

// serves reports whether a server decides about attributes.
func (k *mac) serves() bool { return k.Share && !k.free }

// checkUTF8 refuses what APFS refuses.
func checkUTF8(name string) error {
	if !utf8.ValidString(name) {
		return syscall.EILSEQ
	}
	return nil
}

// macDir is a [vfs.Dir] on an FS made by NewMac.
type macDir struct {
	*memDir
	mac *mac
}

func (k *mac) dir(d *memDir) vfs.Dir { return &macDir{d, k} }

// Unwrap returns what other directories of the FS know.
func (d *macDir) Unwrap() vfs.Dir { return d.memDir }

func (d *macDir) Caps() vfs.Caps { return memCaps | vfs.CanLongXattr | vfs.CanCloneFile }

func (d *macDir) Statfs() (vfs.Volume, error) {
	return result(&d.handle, "statfs", ".", func() (vfs.Volume, error) {
		v := vfs.Volume{
			Folds:         d.mac.Folds || d.mac.Decomposes,
			OwnersIgnored: d.mac.OwnersIgnored,
			AppleDouble:   d.mac.AppleDouble,
			RootIno:       d.m.root.Ino,
			Network:       d.mac.Share,
			ServerACLs:    d.mac.Share,
			LacksACLs:     d.mac.FAT,
			DOSFlags:      d.mac.hasDOSFlags(),
		}
		if tick := d.mac.tick(); tick > 1 {
			v.Granularity = tick
		}
		return v, nil
	})
}

// tick is the smallest difference of two times that the volume keeps.
func (k *mac) tick() time.Duration {
	switch {
	case k.Tick != 0:
		return k.Tick
	case k.FAT:
		return 2 * time.Second
	case k.Share:
		return 100 * time.Nanosecond
	}
	return 1
}

// hasDOSFlags reports whether flags are the attributes of DOS.
func (k *mac) hasDOSFlags() bool { return k.FAT || k.Share }

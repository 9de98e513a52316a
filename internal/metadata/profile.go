package metadata

import (
	"runtime"
	"slices"
	"strings"

	"psync/internal/vfs"
)

// A Profile describes the peculiarities of a system. A profile is never changed.
type Profile struct {
	// Order is the order of the operations on one entry. Operations after Rename are done when the entry has its
	// final name.
	Order []Class
	// Archive says what -a keeps in addition to modes, owners, times, links and devices. Plain says what copy
	// and sync keep by default, in addition to modification times.
	Archive, Plain Keep
	// Forks are extended attributes that are part of the contents of a file: without them, an old font is an empty
	// file, or a document is a file that no program recognizes.
	Forks []string
	// Xattr returns the Fate of an extended attribute.
	Xattr func(name string) Fate
	// UnlistedACLs are the names of ACLs that lists of extended attributes omit. Looking for them takes separate calls.
	UnlistedACLs []string
	// Probes are names of attributes to look up where an empty list proves nothing: if extended attributes are
	// supported at all, one of these attributes exists or is reported as absent.
	Probes []string
	// CanonicalACL returns a value that is equal for all ACLs with the same meaning, and TrivialACL reports whether an
	// ACL says no more than the mode. Each may be nil.
	CanonicalACL func(value []byte) []byte
	TrivialACL   func(name string, value []byte) bool
	// posix describes POSIX.1e ACLs; nil: the system has none.
	posix *posixACL
	// BindsOwner reports whether an ACL may keep the owner of an entry from changing
	// its attributes and its name. It may be nil.
	BindsOwner func(value []byte) bool

	LinkModes     bool   // symbolic links have a mode
	SetsBtime     bool   // creation times can be set
	BtimeFalls    bool   // but only to earlier times, and never to a time after the modification
	XattrsTouch   bool   // setting an extended attribute may change the modification time
	StatHasFlags  bool   // vfs.Attr.Flags is valid
	InheritsACLs  bool   // an entry may inherit an ACL from its directory without its mode showing it
	OwnerFlags    uint32 // flags that owners may set
	RootFlags     uint32 // further flags that root may set
	DOSFlags      uint32 // the flags of both sets that FAT and SMB support, or 0 if there is no such limit
	LockFlags     uint32 // flags that prevent changes of an entry
	RootLocks     uint32 // lock flags that a clone inherits, where only root can then change or remove the clone
	Dataless      uint32 // a flag of files whose contents are elsewhere
	ListedMayLack bool   // a listed name that cannot be found may only be hidden from this process

	// Privacy says that the system may refuse, with EPERM, to open entries that the user has not granted to the
	// program, regardless of owner and mode.
	Privacy bool
	// VolumeFiles are the names of entries that the system maintains in the root of each volume.
	VolumeFiles []string
}

// Linux is the profile of Linux. The values of flags are those of FS_IOC_SETFLAGS, linux/fs.h: append-only
// 0x20, immutable 0x10, no dump 0x40, no access time 0x80.
var Linux = &Profile{
	Order:      []Class{Unlock, Grant, Xattrs, Owner, Mode, ACLs, LateXattr, Times, Rename, Flags},
	Xattr:      linuxXattr,
	Probes:     []string{"user.psync", posixAccess, nfs4ACL, "security.capability"},
	TrivialACL: trivialLinux,
	posix:      &linuxACL,
	OwnerFlags: 0x40 | 0x80,
	RootFlags:  0x20 | 0x10,
	LockFlags:  0x20 | 0x10,
}

// Darwin is the profile of macOS, where an ACL may prevent the renaming of an entry, and where cp(1) without
// any flag copies extended attributes (file_cmds, cp/utils.c:454). Resource forks of HFS+ are contents: they
// affect the modification time. The values of flags are those of sys/stat.h. SF_ARCHIVED is not kept: it is the
// archive bit of FAT and SMB, which a change of the file clears (msdosfs_vnops.c:464), and it has no effect on
// other volumes.
var Darwin = &Profile{
	Order:         []Class{Unlock, Free, Grant, Xattrs, Owner, Mode, LateXattr, Times, Btime, Rename, ACLs, Flags},
	Archive:       Keep{Xattrs: true, ACLs: true, Btime: true, Flags: true},
	Plain:         Keep{Xattrs: true},
	Forks:         []string{"com.apple.ResourceFork", "com.apple.FinderInfo"},
	Xattr:         darwinXattr,
	UnlistedACLs:  []string{securityName},
	CanonicalACL:  canonicalFilesec,
	TrivialACL:    noFilesec,
	BindsOwner:    deniesSomething,
	LinkModes:     true,
	SetsBtime:     true,
	XattrsTouch:   true,
	StatHasFlags:  true,
	InheritsACLs:  true,
	OwnerFlags:    0x800F,
	RootFlags:     0x60000,
	DOSFlags:      0x8002,
	LockFlags:     0x60006,
	RootLocks:     0x60000 | 0x100000,
	Dataless:      0x40000000,
	ListedMayLack: true,
	Privacy:       true,
	VolumeFiles: []string{
		".Spotlight-V100", ".fseventsd", ".Trashes", ".DocumentRevisions-V100", ".TemporaryItems",
	},
}

// FreeBSD is the profile of FreeBSD. The values of flags are those of sys/stat.h.
var FreeBSD = &Profile{
	Order:        []Class{Unlock, Grant, Xattrs, Owner, Mode, ACLs, LateXattr, Btime, Times, Rename, Flags},
	Xattr:        freebsdXattr,
	UnlistedACLs: []string{bsdPosixAccess, bsdNFS4ACL},
	TrivialACL:   trivialBSD,
	posix:        &bsdACL,
	LinkModes:    true,
	SetsBtime:    true,
	BtimeFalls:   true,
	StatHasFlags: true,
	InheritsACLs: true,
	OwnerFlags:   0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x800 | 0x1000 | 0x8000,
	RootFlags:    0x10000 | 0x20000 | 0x40000 | 0x100000,
	LockFlags:    0x2 | 0x4 | 0x10 | 0x20000 | 0x40000 | 0x100000,
}

// IsVolumeFile reports whether the system maintains an entry of this name in the root of each volume.
// Like most volumes, IsVolumeFile ignores the case of names.
func (p *Profile) IsVolumeFile(name string) bool {
	return slices.ContainsFunc(p.VolumeFiles, func(file string) bool { return strings.EqualFold(file, name) })
}

// Liftable returns the lock flags that the user may clear on the user's own entries, if flags are kept.
func (p *Profile) Liftable(k Keep, u vfs.User) uint32 {
	switch {
	case !k.Flags:
		return 0
	case u.Privileged():
		return p.LockFlags & (p.OwnerFlags | p.RootFlags)
	}
	return p.LockFlags & p.OwnerFlags
}

// Native returns the profile of the system that this program runs on.
func Native() *Profile { return ProfileOf(runtime.GOOS) }

// ProfileOf returns the profile of a system by its GOOS name. An unknown system gets the profile of Linux.
func ProfileOf(system string) *Profile {
	switch system {
	case "darwin":
		return Darwin
	case "freebsd":
		return FreeBSD
	}
	return Linux
}

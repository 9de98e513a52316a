package metadata

import (
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"psync/internal/vfs"
)

// A Profile is what a system does in its own way. A profile is never changed.
type Profile struct {
	// Order is that of the operations on one entry. What stands after Rename is done
	// when the entry has its final name.
	Order []Class
	// Archive says what -a keeps besides modes, owners, times, links and devices, and
	// Plain what copy and sync keep besides times of modification, without any flag.
	Archive, Plain Keep
	// Forks are extended attributes that are part of the contents of a file: without them an old
	// font is an empty file, or a document one that no program knows.
	Forks []string
	// Xattr returns the fate of an extended attribute.
	Xattr func(name string) Fate
	// Probes are names of attributes to look up where an empty list proves nothing: if extended attributes
	// are supported at all, one of them exists or is reported as absent.
	Probes []string
	// CanonicalACL returns a value by which two ACLs that mean the same are equal,
	// TrivialACL reports whether one says no more than the mode, FitACL returns what a
	// change of mode makes of one, and BareMode what of a mode is left without one. Each
	// may be nil.
	CanonicalACL func(value []byte) []byte
	TrivialACL   func(name string, value []byte) bool
	FitACL       func(name string, value []byte, mode fs.FileMode) []byte
	BareMode     func(name string, value []byte, mode fs.FileMode) fs.FileMode
	// BindsOwner reports whether an ACL may keep the owner of an entry from changing
	// its attributes and its name. It may be nil.
	BindsOwner func(value []byte) bool

	LinkModes      bool   // symbolic links have a mode
	SetsBtime      bool   // times of birth can be set
	BtimeFalls     bool   // but only to earlier ones, and none after the modification
	XattrsTouch    bool   // setting an extended attribute may change the modification time
	StatTellsFlags bool   // vfs.Attr.Flags is right
	InheritsACLs   bool   // an entry may get that of its directory without its mode showing it
	OwnerFlags     uint32 // what owners may set of flags
	RootFlags      uint32 // what root may set besides
	DOSFlags       uint32 // what is left of both on FAT and SMB, or 0 where that is not so
	LockFlags      uint32 // those that keep an entry from being changed
	RootLocks      uint32 // those that a clone has too, where only root can change or remove it then
	Dataless       uint32 // a flag of files whose contents are elsewhere
	ListedMayLack  bool   // a name that was listed and cannot be found may only be hidden from us

	// Privacy says that the system may refuse, by EPERM, to open what the user has not granted
	// to the program, whatever owner and mode say.
	Privacy bool
	// VolumeFiles are the names of entries that the system keeps for itself in the root of each volume.
	VolumeFiles []string
}

// Linux says how it is there. The values of flags are those of FS_IOC_SETFLAGS,
// linux/fs.h: append-only 0x20, immutable 0x10, no dump 0x40, no access time 0x80.
var Linux = &Profile{
	Order:      []Class{Unlock, Grant, Xattrs, Owner, Mode, ACLs, LateXattr, Times, Rename, Flags},
	Xattr:      linuxXattr,
	Probes:     []string{"user.psync", posixAccess, nfs4ACL, "security.capability"},
	TrivialACL: trivialLinux,
	FitACL:     fitLinux,
	BareMode:   bareLinux,
	OwnerFlags: 0x40 | 0x80,
	RootFlags:  0x20 | 0x10,
	LockFlags:  0x20 | 0x10,
}

// Darwin says how it is on macOS, where an ACL may keep an entry from being renamed, and where
// cp(1) without any flag copies extended attributes (file_cmds, cp/utils.c:454).
// Resource forks of HFS+ are contents, by the modification time. The values of flags are
// those of sys/stat.h. SF_ARCHIVED is not among those that are kept: it is the archive bit of FAT and
// SMB, which a change of the file clears (msdosfs_vnops.c:464), and no other volume minds it.
var Darwin = &Profile{
	Order:          []Class{Unlock, Free, Grant, Xattrs, Owner, Mode, LateXattr, Times, Btime, Rename, ACLs, Flags},
	Archive:        Keep{Xattrs: true, ACLs: true, Btime: true, Flags: true},
	Plain:          Keep{Xattrs: true},
	Forks:          []string{"com.apple.ResourceFork", "com.apple.FinderInfo"},
	Xattr:          darwinXattr,
	CanonicalACL:   canonicalFilesec,
	TrivialACL:     noFilesec,
	BindsOwner:     deniesSomething,
	LinkModes:      true,
	SetsBtime:      true,
	XattrsTouch:    true,
	StatTellsFlags: true,
	InheritsACLs:   true,
	OwnerFlags:     0x800F,
	RootFlags:      0x60000,
	DOSFlags:       0x8002,
	LockFlags:      0x60006,
	RootLocks:      0x60000 | 0x100000,
	Dataless:       0x40000000,
	ListedMayLack:  true,
	Privacy:        true,
	VolumeFiles: []string{
		".Spotlight-V100", ".fseventsd", ".Trashes", ".DocumentRevisions-V100", ".TemporaryItems",
	},
}

// FreeBSD says how it is there. The values of flags are those of sys/stat.h.
var FreeBSD = &Profile{
	Order:          []Class{Unlock, Grant, Xattrs, Owner, Mode, ACLs, LateXattr, Btime, Times, Rename, Flags},
	Xattr:          freebsdXattr,
	TrivialACL:     trivialBSD,
	FitACL:         fitBSD,
	BareMode:       bareBSD,
	LinkModes:      true,
	SetsBtime:      true,
	BtimeFalls:     true,
	StatTellsFlags: true,
	InheritsACLs:   true,
	OwnerFlags:     0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x800 | 0x1000 | 0x8000,
	RootFlags:      0x10000 | 0x20000 | 0x40000 | 0x100000,
	LockFlags:      0x2 | 0x4 | 0x10 | 0x20000 | 0x40000 | 0x100000,
}

// IsVolumeFile reports whether the system keeps an entry of this name for itself in the root of each
// volume. Most volumes take names that differ in case for one, and so does it.
func (p *Profile) IsVolumeFile(name string) bool {
	return slices.ContainsFunc(p.VolumeFiles, func(file string) bool { return strings.EqualFold(file, name) })
}

// Liftable returns the flags by which an entry may be locked, and which the user may clear on an entry
// that is the user's own, where flags are kept.
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

// ProfileOf returns the profile of a system, by its name as GOOS has it. Those that are not known are
// like Linux.
func ProfileOf(system string) *Profile {
	switch system {
	case "darwin":
		return Darwin
	case "freebsd":
		return FreeBSD
	}
	return Linux
}

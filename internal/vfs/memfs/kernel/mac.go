package kernel

import (
	"slices"
	"syscall"
	"time"
	"unicode/utf8"

	"psync/internal/vfs"
)

// A Mac says what [XNU] simulates. The zero value is the volume that macOS is installed on, in its case-sensitive
// variant, used by root.
type Mac struct {
	UID, GID uint32   // of the caller, who owns the root directory; 0 is root
	Groups   []uint32 // further groups that the caller is a member of

	Folds         bool // names ignore case and composition, as those of APFS do
	Decomposes    bool // names are kept and listed decomposed, as those of HFS+ are
	OwnersIgnored bool // everything belongs to the caller: "ignore ownership on this volume"
	NoXattrs      bool // no extended attributes, as on some servers
	AppleDouble   bool // extended attributes are kept in an entry "._NAME"
	FAT           bool // few flags; no ACLs, creation times or clones; times in steps of two seconds

	Share bool // an SMB share: see memfs.NewMac

	// Tick is the resolution of times, unless the kind of volume determines it.
	Tick time.Duration

	// Refused are the names of extended attributes that the caller lacks the entitlement
	// to set or remove. They can be listed and read.
	Refused []string

	// Private are the names of directories that no one may list, not even root, as with privacy protection (TCC). They
	// take effect when a directory is made.
	Private []string
}

// Naming returns how names are treated.
func (m Mac) Naming() *Naming {
	n := &Naming{check: checkUTF8, respells: true, appleDouble: m.AppleDouble}
	if m.Folds || m.Decomposes {
		n.key = foldMac
	}
	if m.Decomposes {
		n.stored = decompose
	}
	return n
}

// XNU is the kernel of macOS.
type XNU struct {
	Mac
	Free bool // no rule applies
}

// member reports whether the caller belongs to a group.
func (k *XNU) member(gid uint32) bool { return gid == k.GID || slices.Contains(k.Groups, gid) }

// owns reports whether the caller has the rights of the owner.
func (k *XNU) owns(n *Inode) bool {
	return k.Free || k.UID == 0 || k.OwnersIgnored || k.Share || k.UID == n.UID
}

// serves reports whether a server decides about attributes.
func (k *XNU) serves() bool { return k.Share && !k.Free }

// checkUTF8 returns an error for names that APFS refuses.
func checkUTF8(name string) error {
	if !utf8.ValidString(name) {
		return syscall.EILSEQ
	}
	return nil
}

func (k *XNU) Caps() vfs.Caps { return vfs.CanCloneFile }

func (k *XNU) Volume() (vfs.Volume, error) {
	v := vfs.Volume{
		Folds:         k.Folds || k.Decomposes,
		OwnersIgnored: k.OwnersIgnored,
		AppleDouble:   k.AppleDouble,
		Network:       k.Share,
		ServerACLs:    k.Share,
		LacksACLs:     k.FAT,
		DOSFlags:      k.hasDOSFlags(),
	}
	if tick := k.granularity(); tick > 1 {
		v.Granularity = tick
	}
	return v, nil
}

// granularity is the resolution of the times that the volume keeps.
func (k *XNU) granularity() time.Duration {
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

// hasDOSFlags reports whether flags are mapped to DOS attributes.
func (k *XNU) hasDOSFlags() bool { return k.FAT || k.Share }

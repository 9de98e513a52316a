package metadata

import (
	"strings"

	"psync/internal/report"
)

// A Fate says what a [Profile] does with extended attributes of some name.
type Fate uint8

// The bits of a Fate. An attribute without any is ignored.
const (
	Copies   Fate = 1 << iota // the attribute is copied and compared
	Deletes                   // the attribute is removed if the source lacks it
	IsACL                     // the attribute is an access control list
	Late                      // the attribute is set after owner and mode
	RootOnly                  // only root may set the attribute
	Quiet                     // a lack of permission to set the attribute is not reported
)

// attr returns the attribute to report as not kept.
func (f Fate) attr() report.Attr {
	if f&IsACL != 0 {
		return report.ACLs
	}
	return report.Xattrs
}

// keeps reports whether extended attributes with the fate f are kept.
func (k Keep) keeps(f Fate) bool {
	if f&IsACL != 0 {
		return k.ACLs
	}
	return k.Xattrs
}

// linuxXattr returns the Fate of an attribute on Linux. A user who is not root sees only the namespace user and
// a few names of the namespace security, which only root sets. Namespaces other than these and trusted belong
// to a single file system, which stores its own data there: btrfs.compression, ceph.dir.layout, lustre.lov.
func linuxXattr(name string) Fate {
	switch name {
	case posixAccess, posixDefault:
		return Copies | Deletes | IsACL
	case nfs4ACL: // cannot be removed: see linux, fs/nfs/nfs4proc.c
		return Copies | IsACL
	case "security.ima":
		// A kernel that appraises files makes such an attribute for each file, and files without one cannot be
		// opened. Signatures are copied.
		return Copies | Late | RootOnly | Quiet
	}
	space, rest, _ := strings.Cut(name, ".")
	switch {
	case space == "user":
		return Copies | Deletes
	case space == "security" && !isLabel(rest), space == "trusted" && !isLayout(rest):
		return Copies | Deletes | Late | RootOnly
	}
	return 0
}

// isLabel reports whether an attribute of the namespace security is a label of a security module. Such a label
// is valid for one system and its policy, or is signed for one inode.
func isLabel(name string) bool {
	switch name {
	case "selinux", "sehash", "apparmor", "evm":
		return true
	}
	return strings.HasPrefix(name, "SMACK64") || strings.HasPrefix(name, "bpf.")
}

// isLayout reports whether an attribute of the namespace trusted says where a file system stores a file, as on
// Lustre (lustre_idl.h) and old XFS (attr, xattr.conf). The attributes of overlayfs are not layouts, because a
// layer without them has another meaning.
func isLayout(name string) bool {
	switch name {
	case "lov", "lma", "lmv", "dmv", "link", "fid", "version", "som", "hsm":
		return true
	}
	return strings.HasPrefix(name, "SGI_")
}

// darwinXattr returns the Fate of an attribute on macOS.
func darwinXattr(name string) Fate {
	switch name {
	case securityName:
		return Copies | Deletes | IsACL
	case "com.apple.provenance", // the application that made the entry; each entry gets its own value
		"com.apple.macl", "com.apple.rootless", // attributes of System Integrity Protection
		"com.apple.decmpfs": // how contents are compressed; reading expands them
		return 0
	case "com.apple.quarantine":
		return Copies | Quiet // copying over a file does not make it more trusted
	case "com.apple.root.installed": // attribute of the installer; copyfile(3) also leaves it to root
		return Copies | Deletes | RootOnly | Quiet
	case "com.apple.FinderInfo", "com.apple.ResourceFork", "com.apple.TextEncoding":
		return Copies | Deletes
	}
	switch {
	case strings.HasPrefix(name, "com.apple.system."), neverPreserved(name):
		return 0
	case !strings.HasPrefix(name, "com.apple."), strings.HasPrefix(name, "com.apple.metadata:"),
		strings.HasPrefix(name, "com.apple.lastuseddate#"):
		return Copies | Deletes
	}
	return Copies | Deletes | Quiet // some of these attributes require an entitlement
}

// neverPreserved reports whether the flags in the name of an attribute say that no copy keeps it, not even a
// backup: the flags are the letters after the last #, where a capital letter sets a flag and a small letter
// clears it. This is the only flag that matters for a backup, and no name without # has it (copyfile,
// xattr_flags.c).
func neverPreserved(name string) (never bool) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return false
	}
	for _, flag := range name[i:] {
		switch flag {
		case 'N':
			never = true
		case 'n':
			never = false
		}
	}
	return never
}

// freebsdXattr returns the Fate of an attribute on FreeBSD, which has two namespaces. Attributes in the
// namespace system are for root, and may be labels of MAC modules (mac_biba(4), mac_lomac(4), mac_mls(4)),
// which are valid for one system.
func freebsdXattr(name string) Fate {
	switch name {
	case bsdPosixAccess, bsdDefault:
		return Copies | Deletes | IsACL
	case bsdNFS4ACL: // cannot be removed: every entry has one
		return Copies | IsACL
	}
	space, rest, _ := strings.Cut(name, ".")
	switch {
	case space == "user":
		return Copies | Deletes
	case space == "system" && !strings.HasPrefix(rest, "mac_"):
		return Copies | Deletes | Late | RootOnly
	}
	return 0
}

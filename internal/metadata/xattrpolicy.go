package metadata

import "strings"

// linuxXattr returns the fate of an attribute on Linux. A user who is not root sees no
// more of the namespaces than user, and a few names of security, which only root sets.
// Other namespaces than these and trusted are those of one file system, for what it wants
// to know about itself: btrfs.compression, ceph.dir.layout, lustre.lov.
func linuxXattr(name string) Fate {
	switch name {
	case posixAccess, posixDefault:
		return Copies | Deletes | IsACL
	case nfs4ACL: // cannot be removed: see linux, fs/nfs/nfs4proc.c
		return Copies | IsACL
	case "security.ima":
		// A kernel that appraises files makes one up for each, and files without
		// one cannot be opened. Signatures are taken along.
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

// isLabel reports whether an attribute of the namespace security is a label by which a
// security module goes, which holds for one system and its policy, or is signed for
// one inode.
func isLabel(name string) bool {
	switch name {
	case "selinux", "sehash", "apparmor", "evm":
		return true
	}
	return strings.HasPrefix(name, "SMACK64") || strings.HasPrefix(name, "bpf.")
}

// isLayout reports whether an attribute of the namespace trusted says where a file
// system keeps a file: what Lustre shows (lustre_idl.h), and old XFS (attr, xattr.conf).
// Those of overlayfs are not among them, for without them a layer means something else.
func isLayout(name string) bool {
	switch name {
	case "lov", "lma", "lmv", "dmv", "link", "fid", "version", "som", "hsm":
		return true
	}
	return strings.HasPrefix(name, "SGI_")
}

// darwinXattr returns the fate of an attribute on macOS.
func darwinXattr(name string) Fate {
	switch name {
	case securityName:
		return Copies | Deletes | IsACL
	case "com.apple.provenance", // of the application that made the entry; each gets one of its own
		"com.apple.macl", "com.apple.rootless", // of System Integrity Protection
		"com.apple.decmpfs": // how contents are compressed; reading them expands them
		return 0
	case "com.apple.quarantine":
		return Copies | Quiet // a file does not become more trusted by being copied over
	case "com.apple.root.installed": // of the installer; copyfile(3) leaves it to root as well
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
	return Copies | Deletes | Quiet // some of them are for those with an entitlement
}

// neverPreserved reports whether the flags in the name of an attribute say that no
// copy keeps it, not even a backup: letters behind the last #, where a capital sets a
// flag and a small letter takes it back. Of the flags this is the only one that
// counts for a backup, and no name without # has it (copyfile, xattr_flags.c).
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

// freebsdXattr returns the fate of an attribute on FreeBSD, whose namespaces are two.
// What is in that of the system is for root, and may be labels of MAC modules
// (mac_biba(4), mac_lomac(4), mac_mls(4)), which hold for one system.
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

package metadata

import (
	"bytes"
	"encoding/binary"
	"io/fs"
)

// A posixACL describes how a system lays out POSIX.1e ACLs: a header, and entries with a tag and permissions,
// each as 16 or 32 bits. Both systems use the same tags.
type posixACL struct {
	access, inherit string // names of the extended attributes that hold access ACLs and default ACLs
	header, entry   int
	perm, id        int // offsets of the permissions and the ID in an entry
}

// Layouts of ACLs: a version and entries of tag, permissions and ID (linux, posix_acl_xattr.h); struct acl,
// whose entries have tag, ID and permissions (freebsd, sys/sys/acl.h). FreeBSD is little-endian on all
// architectures that this program is built for.
var (
	linuxACL = posixACL{access: posixAccess, inherit: posixDefault, header: 4, entry: 8, perm: 2, id: 4}
	bsdACL   = posixACL{
		access: bsdPosixAccess, inherit: bsdDefault, header: bsdHeader, entry: bsdEntry, perm: bsdPerm, id: bsdID,
	}
)

// PosixDefaultACL is the extended attribute of Linux that holds the default ACL of a directory.
const PosixDefaultACL = "system.posix_acl_default"

const (
	posixAccess    = "system.posix_acl_access"
	posixDefault   = PosixDefaultACL
	bsdPosixAccess = "system.posix1e.acl_access"
	bsdDefault     = "system.posix1e.acl_default"

	posixVersion = 2 // the version on Linux
)

// Tags of entries.
const (
	tagUserObj  = 0x1
	tagUser     = 0x2 // names an account
	tagGroupObj = 0x4
	tagGroup    = 0x8 // names an account
	tagMask     = 0x10
	tagOther    = 0x20
)

// entries returns an ACL from its first entry on, or nil if the ACL has no entries or is malformed.
func (l posixACL) entries(value []byte) []byte {
	if len(value) <= l.header || (len(value)-l.header)%l.entry != 0 {
		return nil
	}
	return value[l.header:]
}

// trivial reports whether an access ACL has only the entries that represent the mode.
func (l posixACL) trivial(value []byte) bool {
	var seen uint16
	e := l.entries(value)
	n := len(e) / l.entry
	for ; len(e) > 0; e = e[l.entry:] {
		seen |= binary.LittleEndian.Uint16(e)
	}
	return n == 3 && seen == tagUserObj|tagGroupObj|tagOther
}

// fit returns an access ACL with the entries that represent the mode set to mode, as chmod(2) does. The group
// bits are the mask, if there is one.
func (l posixACL) fit(value []byte, mode fs.FileMode) []byte {
	group := uint16(tagGroupObj)
	for e := l.entries(value); len(e) > 0; e = e[l.entry:] {
		if binary.LittleEndian.Uint16(e) == tagMask {
			group = tagMask
		}
	}
	fitted := value
	for off := l.header; off < len(value) && l.entries(value) != nil; off += l.entry {
		shift := 0
		switch binary.LittleEndian.Uint16(value[off:]) {
		case tagUserObj:
			shift = 6
		case group:
			shift = 3
		case tagOther:
		default:
			continue
		}
		perm := byte(mode >> shift & 7)
		if value[off+l.perm] == perm {
			continue
		}
		if &fitted[0] == &value[0] {
			fitted = bytes.Clone(value)
		}
		fitted[off+l.perm] = perm
	}
	return fitted
}

// withoutMask returns a mode without the bits that the mask of an access ACL adds: the group bits are those that the
// owning group actually has.
func (l posixACL) withoutMask(value []byte, mode fs.FileMode) fs.FileMode {
	for e := l.entries(value); len(e) > 0; e = e[l.entry:] {
		if binary.LittleEndian.Uint16(e) == tagGroupObj {
			return mode &^ (^fs.FileMode(e[l.perm]) & 7 << 3)
		}
	}
	return mode
}

// InheritedPerm returns which permissions the default ACL of a directory leaves to an entry made there (acl(5),
// object creation): its entries for the owner, the group, or the mask if there is one, and others.
func InheritedPerm(acl []byte) fs.FileMode {
	perm, group := fs.FileMode(0), false
	entries := linuxACL.entries(acl)
	if entries == nil {
		return fs.ModePerm
	}
	for e := entries; len(e) > 0; e = e[linuxACL.entry:] {
		bits := fs.FileMode(e[linuxACL.perm]) & 7
		switch binary.LittleEndian.Uint16(e) {
		case tagUserObj:
			perm |= bits << 6
		case tagMask:
			perm = perm&^0o070 | bits<<3
			group = true
		case tagGroupObj:
			if !group {
				perm |= bits << 3
			}
		case tagOther:
			perm |= bits
		}
	}
	return perm
}

// FitACL returns an ACL as changed by a change of mode.
func (p *Profile) FitACL(name string, value []byte, mode fs.FileMode) []byte {
	if p.posix == nil || name != p.posix.access {
		return value
	}
	return p.posix.fit(value, mode)
}

// modeWithoutMask returns the mode that is left without an ACL.
func (p *Profile) modeWithoutMask(name string, value []byte, mode fs.FileMode) fs.FileMode {
	if p.posix == nil || name != p.posix.access {
		return mode
	}
	return p.posix.withoutMask(value, mode)
}

// trivialLinux reports whether an ACL says no more than the mode does. A default ACL always says more.
func trivialLinux(name string, value []byte) bool {
	switch name {
	case posixAccess:
		return len(value) >= 4 && binary.LittleEndian.Uint32(value) == posixVersion && linuxACL.trivial(value)
	case nfs4ACL:
		return trivialNFS4(value)
	}
	return false
}

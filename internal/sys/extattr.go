package sys

import (
	"encoding/binary"
	"io/fs"
)

// extattrNames appends to names the names in a list of extattr_list_fd(2) of FreeBSD, where a length byte
// precedes each name. prefix is the namespace and a dot.
func extattrNames(names []string, prefix string, list []byte) []string {
	for len(list) > 0 {
		n := int(list[0])
		if n >= len(list) {
			break
		}
		names = append(names, prefix+string(list[1:1+n]))
		list = list[1+n:]
	}
	return names
}

// Layout of struct acl of FreeBSD: the capacity, the number of entries, four spare words, and the entries:
// tag, ID, permissions, type and flags (freebsd, sys/sys/acl.h).
const (
	aclMax    = 254
	aclHeader = 24
	aclEntry  = 16
	aclCount  = 4 // offset of the number of entries
	aclSpare  = 8
	aclSize   = aclHeader + aclMax*aclEntry
)

// trimACL returns the entries in use of a struct acl that the kernel has filled.
func trimACL(acl []byte) ([]byte, error) {
	if len(acl) < aclHeader {
		return nil, fs.ErrInvalid
	}
	n := binary.NativeEndian.Uint32(acl[aclCount:])
	if n > aclMax || len(acl) < aclHeader+int(n)*aclEntry {
		return nil, fs.ErrInvalid
	}
	value := append([]byte(nil), acl[:aclHeader+int(n)*aclEntry]...)
	binary.NativeEndian.PutUint32(value, aclMax)
	clear(value[aclSpare:aclHeader])
	return value, nil
}

// padACL returns the struct acl, as the kernel requires it, for a result of trimACL.
func padACL(value []byte) ([]byte, error) {
	trimmed, err := trimACL(value)
	if err != nil || len(trimmed) != len(value) {
		return nil, fs.ErrInvalid
	}
	acl := make([]byte, aclSize)
	copy(acl, trimmed)
	return acl, nil
}

// aclEntries returns the number of entries of a result of trimACL.
func aclEntries(value []byte) int { return (len(value) - aclHeader) / aclEntry }

// modeACL returns the POSIX ACL that is equivalent to the permission bits, with entries for owner, group and
// others. The kernel returns it for each file without an ACL.
func modeACL(mode uint32) []byte {
	const (
		owner     = 0x01
		group     = 0x04
		others    = 0x20
		undefined = 0xffffffff // ID of entries without an ID
	)
	b := make([]byte, aclHeader, aclHeader+3*aclEntry)
	binary.NativeEndian.PutUint32(b, aclMax)
	binary.NativeEndian.PutUint32(b[aclCount:], 3)
	for _, e := range [][2]uint32{{owner, mode >> 6 & 7}, {group, mode >> 3 & 7}, {others, mode & 7}} {
		for _, word := range [...]uint32{e[0], undefined, e[1], 0} {
			b = binary.NativeEndian.AppendUint32(b, word)
		}
	}
	return b
}

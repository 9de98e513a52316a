package metadata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"psync/internal/vfs"
)

// Accounts maps a user or group of the source to its number in the destination. A nil Accounts leaves numbers
// unchanged.
type Accounts func(k vfs.AccountKind, id uint32) uint32

// MapACLs replaces the POSIX ACLs among the extended attributes of a source entry by ACLs with the accounts of
// the destination. It does not modify the values in place.
func (p *Profile) MapACLs(xattrs []Xattr, to Accounts) {
	if to == nil || p.posix == nil {
		return
	}
	for i := range xattrs {
		if x := &xattrs[i]; !x.Unread && !x.Long && (x.Name == p.posix.access || x.Name == p.posix.inherit) {
			x.Value = p.posix.mapped(x.Value, to)
		}
	}
}

// mapped returns an ACL with its users and groups mapped by to. Entries with the same tag are ordered by number,
// as by setfacl(1).
func (l posixACL) mapped(value []byte, to Accounts) []byte {
	if l.entries(value) == nil {
		return value
	}
	value = bytes.Clone(value)
	var named [][]byte
	for e := l.entries(value); len(e) > 0; e = e[l.entry:] {
		kind := vfs.UserAccount
		switch binary.LittleEndian.Uint16(e) {
		case tagUser:
		case tagGroup:
			kind = vfs.GroupAccount
		default:
			continue
		}
		id := e[l.id : l.id+4]
		binary.LittleEndian.PutUint32(id, to(kind, binary.LittleEndian.Uint32(id)))
		named = append(named, e[:l.entry])
	}
	l.sort(named)
	return value
}

// sort orders the entries of an ACL that name accounts, within their tags.
func (l posixACL) sort(named [][]byte) {
	sorted := make([][]byte, len(named))
	for i := range named {
		sorted[i] = bytes.Clone(named[i])
	}
	slices.SortStableFunc(sorted, func(a, b []byte) int {
		return cmp.Or(
			cmp.Compare(binary.LittleEndian.Uint16(a), binary.LittleEndian.Uint16(b)),
			cmp.Compare(binary.LittleEndian.Uint32(a[l.id:]), binary.LittleEndian.Uint32(b[l.id:])))
	})
	for i := range named {
		copy(named[i], sorted[i])
	}
}

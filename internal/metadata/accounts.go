package metadata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"path"
	"slices"
	"strings"

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

// An AccountRule maps users, or groups, of the source, like a pair of rsync's --usermap or --groupmap.
type AccountRule struct {
	ByName    bool
	Pattern   string // of names, in the syntax of [path.Match]; "" matches accounts without a name
	Low, High uint32 // the range of numbers, unless the rule has a Pattern
	To        uint32 // the account in the destination
}

// Matches reports whether a rule applies to an account of the source. name is "" for an account without a
// name.
func (r AccountRule) Matches(id uint32, name string) bool {
	if !r.ByName {
		return r.Low <= id && id <= r.High
	}
	matched, _ := path.Match(maskSlashes(r.Pattern), maskSlashes(name)) // a malformed pattern matches nothing
	return matched
}

// maskSlashes hides slashes from [path.Match], where * does not match them: account names are not paths.
func maskSlashes(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

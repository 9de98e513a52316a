package acl

import "encoding/binary"

// Where Linux has ACLs.
const (
	PosixAccess  = "system.posix_acl_access"
	PosixDefault = "system.posix_acl_default"
)

const (
	tagOwner  = 0x1
	tagUser   = 0x2
	tagGroup  = 0x4
	tagMask   = 0x10
	tagOthers = 0x20
	nobody    = 1<<32 - 1
)

// A posixEntry is one of an ACL of POSIX. Its who is a user's or a group's number, or
// nobody's.
type posixEntry struct {
	tag, perm uint16
	who       uint32
}

// Masked returns an ACL that gives the owner some rights, and a user all, under a mask.
func Masked(uid int, owner, mask uint16) []byte {
	return posix(posixEntry{tagOwner, owner, nobody}, posixEntry{tagUser, 7, uint32(uid)},
		posixEntry{tagGroup, 4, nobody}, posixEntry{tagMask, mask, nobody}, posixEntry{tagOthers, 0, nobody})
}

// Minimal returns an ACL that says no more than a mode does, which is 640.
func Minimal() []byte {
	return posix(posixEntry{tagOwner, 6, nobody}, posixEntry{tagGroup, 4, nobody}, posixEntry{tagOthers, 0, nobody})
}

// posix returns an ACL as Linux takes it.
func posix(entries ...posixEntry) []byte {
	p := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range entries {
		p = binary.LittleEndian.AppendUint16(p, e.tag)
		p = binary.LittleEndian.AppendUint16(p, e.perm)
		p = binary.LittleEndian.AppendUint32(p, e.who)
	}
	return p
}

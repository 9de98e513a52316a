package acl

import "encoding/binary"

// The names of the extended attributes for ACLs on Linux.
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
	noID      = 1<<32 - 1
)

// A posixEntry is an entry of a POSIX ACL. Its who is the number of a user or group, or noID.
type posixEntry struct {
	tag, perm uint16
	who       uint32
}

// Masked returns an ACL with some rights for the owner, all for a user, and a mask.
func Masked(uid int, owner, mask uint16) []byte {
	return posix(posixEntry{tagOwner, owner, noID}, posixEntry{tagUser, 7, uint32(uid)},
		posixEntry{tagGroup, 4, noID}, posixEntry{tagMask, mask, noID}, posixEntry{tagOthers, 0, noID})
}

// Minimal returns an ACL that is equivalent to the mode 640.
func Minimal() []byte {
	return posix(posixEntry{tagOwner, 6, noID}, posixEntry{tagGroup, 4, noID}, posixEntry{tagOthers, 0, noID})
}

// posix returns an ACL in the format of Linux.
func posix(entries ...posixEntry) []byte {
	p := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range entries {
		p = binary.LittleEndian.AppendUint16(p, e.tag)
		p = binary.LittleEndian.AppendUint16(p, e.perm)
		p = binary.LittleEndian.AppendUint32(p, e.who)
	}
	return p
}

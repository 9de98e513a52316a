package metadata

import "encoding/binary"

// On a file system with NFSv4 ACLs, every entry has an ACL: servers and ZFS derive one from the mode. Such a
// derived ACL has only entries for OWNER@, GROUP@ and EVERYONE@, which are neither inherited nor inheritable,
// and it lets only the owner change the ACL or the owner. Servers differ in the other rights, of attributes for
// example, so these rights are ignored.

// Layout of the extended attribute system.nfs4_acl in XDR: the number of entries, and for each of them type,
// flags, rights and who, a string that is preceded by its length and padded to four bytes (RFC 7530, sections
// 6.2.1 and 16.1).
const (
	nfs4ACL       = "system.nfs4_acl"
	nfs4Allow     = 0
	nfs4Deny      = 1
	nfs4Group     = 0x40    // flag: who is a group
	nfs4WriteACL  = 0x40000 // rights to change the ACL or the owner
	nfs4WriteOwn  = 0x80000
	nfs4MostNamed = 1 << 10 // longer than any special who
)

// trivialNFS4 reports whether a value of system.nfs4_acl says no more than the mode does.
func trivialNFS4(value []byte) bool {
	r := xdr{value, true}
	n := r.uint32()
	if n == 0 {
		return false // the ACL grants nothing to anyone
	}
	for ; n > 0 && r.ok; n-- {
		kind, flags, rights, who := r.uint32(), r.uint32(), r.uint32(), r.string()
		if kind > nfs4Deny || flags&^nfs4Group != 0 {
			return false
		}
		switch who {
		case "OWNER@":
		case "GROUP@", "EVERYONE@":
			if kind == nfs4Allow && rights&(nfs4WriteACL|nfs4WriteOwn) != 0 {
				return false
			}
		default:
			return false
		}
	}
	return r.ok && len(r.rest) == 0
}

// xdr reads values in the encoding of RFC 4506.
type xdr struct {
	rest []byte
	ok   bool // no value was missing so far
}

func (r *xdr) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.ok = nil, false
		return make([]byte, n)
	}
	p := r.rest[:n]
	r.rest = r.rest[n:]
	return p
}

func (r *xdr) uint32() uint32 { return binary.BigEndian.Uint32(r.take(4)) }

func (r *xdr) string() string {
	n := r.uint32()
	if n > nfs4MostNamed {
		r.ok = false
		return ""
	}
	s := r.take(int(n))
	for _, b := range r.take(int(-n % 4)) {
		r.ok = r.ok && b == 0
	}
	return string(s)
}

// The same layout for FreeBSD: struct acl, whose header has the number of entries as its second word; each
// entry has tag, ID and rights, and type and flags in 16 bits each (freebsd, sys/sys/acl.h).
const (
	bsdNFS4ACL    = "system.nfs4.acl"
	bsdHeader     = 24
	bsdEntry      = 16
	bsdUserObj    = 0x1
	bsdGroupObj   = 0x4
	bsdEveryone   = 0x40
	bsdAllow      = 0x100
	bsdDeny       = 0x200
	bsdWriteACL   = 0x2000
	bsdWriteOwn   = 0x4000
	bsdMaxEntries = 254
	bsdCount      = 4 // offset of the number of entries
	bsdID         = 4 // offsets in an entry
	bsdPerm       = 8
	bsdType       = 12
	bsdFlags      = 14
)

// trivialBSD is trivialNFS4 for FreeBSD, where trivial POSIX ACLs are never seen.
func trivialBSD(name string, value []byte) bool {
	if name != bsdNFS4ACL || len(value) < bsdHeader {
		return false
	}
	n := binary.LittleEndian.Uint32(value[bsdCount:])
	value = value[bsdHeader:]
	if n == 0 || n > bsdMaxEntries || len(value) != int(n)*bsdEntry {
		return false
	}
	for ; len(value) > 0; value = value[bsdEntry:] {
		tag, rights := binary.LittleEndian.Uint32(value), binary.LittleEndian.Uint32(value[bsdPerm:])
		kind, flags := binary.LittleEndian.Uint16(value[bsdType:]), binary.LittleEndian.Uint16(value[bsdFlags:])
		if kind != bsdAllow && kind != bsdDeny || flags != 0 {
			return false
		}
		switch tag {
		case bsdUserObj:
		case bsdGroupObj, bsdEveryone:
			if kind == bsdAllow && rights&(bsdWriteACL|bsdWriteOwn) != 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

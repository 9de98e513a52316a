package kernel

import (
	"encoding/binary"
	"syscall"
)

// ACLName is the extended attribute in which macOS keeps the ACL of an entry.
const ACLName = "com.apple.system.Security"

// An ACE is an entry of an ACL of macOS.
type ACE struct {
	Who    [16]byte // a UUID
	Flags  uint32   // an ACEFlag each
	Rights uint32   // of KAUTH_VNODE_*: 1<<4 to delete, 1<<8 to write attributes
}

// Flags of an ACE.
const (
	ACEPermit      uint32 = 1
	ACEDeny        uint32 = 2
	ACEInherited   uint32 = 1 << 4
	ACEFileInherit uint32 = 1 << 5
	ACEDirInherit  uint32 = 1 << 6

	aceKind = 0xf
)

// Everyone is the UUID of the group that every user is a member of. Entries for others have no effect here.
var Everyone = [16]byte{0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 15: 12}

const (
	aclMagic   = 0x012cc16d
	aclHeader  = 44
	aceSize    = 24
	aclMost    = 128
	aclRemoved = 1<<32 - 1 // in place of the number of entries: there is no ACL
)

// FormatACL returns an ACL as the kernel keeps it (kauth_filesec), of any number of
// entries; the value of [ACLName].
func FormatACL(aces ...ACE) []byte {
	p := make([]byte, aclHeader, aclHeader+len(aces)*aceSize)
	binary.LittleEndian.PutUint32(p, aclMagic)
	binary.LittleEndian.PutUint32(p[36:], uint32(len(aces)))
	for _, a := range aces {
		p = append(p, a.Who[:]...)
		p = binary.LittleEndian.AppendUint32(p, a.Flags)
		p = binary.LittleEndian.AppendUint32(p, a.Rights)
	}
	return p
}

// synchronize is a right that only Windows uses, and that a share adds to each entry of an ACL.
const synchronize = 1 << 20

// serverACL is the ACL that a share shows if none was set: the server permits everything.
func serverACL() []byte {
	return FormatACL(ACE{Who: Everyone, Flags: ACEPermit | ACEInherited, Rights: 0x3ffe | synchronize})
}

// ParseACL is the inverse of FormatACL. exists is false for an ACL that says that it is removed.
func ParseACL(p []byte) (aces []ACE, exists bool, err error) {
	if len(p) < aclHeader || binary.LittleEndian.Uint32(p) != aclMagic {
		return nil, false, syscall.EINVAL
	}
	n := binary.LittleEndian.Uint32(p[36:])
	if n == aclRemoved && len(p) == aclHeader {
		return nil, false, nil
	}
	if n > aclMost || len(p) != aclHeader+int(n)*aceSize {
		return nil, false, syscall.EINVAL
	}
	for p = p[aclHeader:]; len(p) > 0; p = p[aceSize:] {
		aces = append(aces, ACE{
			Who:    [16]byte(p),
			Flags:  binary.LittleEndian.Uint32(p[16:]),
			Rights: binary.LittleEndian.Uint32(p[20:]),
		})
	}
	return aces, true, nil
}

// acl returns the entries of an inode's ACL.
func (n *Inode) acl() []ACE {
	aces, _, _ := ParseACL(n.Xattrs[ACLName])
	return aces
}

// checkACL returns which of the rights the ACL of an inode denies to the caller, and which rights it does not decide
// about. The first entry for a right counts.
func checkACL(n *Inode, want Rights) (denied, left Rights) {
	for _, a := range n.acl() {
		about := want & Rights(a.Rights)
		if about == 0 || a.Who != Everyone {
			continue
		}
		if a.Flags&aceKind == ACEDeny {
			denied |= about
		}
		want &^= about
	}
	return denied, want
}

// inherit gives a new entry what it inherits from the ACL of its directory.
func inherit(dir, n *Inode) {
	right := ACEFileInherit
	if n.Mode.IsDir() {
		right = ACEDirInherit
	}
	var got []ACE
	for _, a := range dir.acl() {
		if a.Flags&right == 0 {
			continue
		}
		if !n.Mode.IsDir() {
			a.Flags &^= ACEFileInherit | ACEDirInherit
		}
		a.Flags |= ACEInherited
		got = append(got, a)
	}
	if len(got) > 0 {
		n.setXattr(ACLName, FormatACL(append(n.acl(), got...)...))
	}
}

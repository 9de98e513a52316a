// Package acl makes access control lists, in the form of extended attributes.
package acl

import "encoding/binary"

// MacName is the name of the extended attribute for ACLs of macOS.
const MacName = "com.apple.system.Security"

// An Entry is an entry for everyone of an ACL of macOS.
type Entry struct{ flags, rights uint32 }

// Rights of entries (sys/kauth.h).
const (
	Read        = 1 << 1
	Delete      = 1 << 4
	DeleteChild = 1 << 6
	WriteAttr   = 1 << 8
	WriteXattr  = 1 << 10
	Everything  = 0x3ffe
)

// Flags of entries.
const (
	permits     = 1
	denies      = 2
	inherited   = 1 << 4
	fileInherit = 1 << 5
	dirInherit  = 1 << 6
)

// Allow returns an entry that grants rights, and Deny one that denies them.
func Allow(rights uint32) Entry { return Entry{permits, rights} }
func Deny(rights uint32) Entry  { return Entry{denies, rights} }

// Inheritable returns e as an entry that new files and directories inherit.
func (e Entry) Inheritable() Entry { return Entry{e.flags | fileInherit | dirInherit, e.rights} }

// Inherited returns e as an entry that was inherited from the parent directory.
func (e Entry) Inherited() Entry { return Entry{e.flags | inherited, e.rights} }

// Layout of struct kauth_filesec: its header, and in it the number of entries.
const (
	filesecMagic  = 0x012cc16d
	filesecHeader = 44
	filesecCount  = 36
)

// everyone is the UUID of the group 12, which contains all users.
var everyone = []byte{0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0, 0, 0, 12}

// Mac returns an ACL in the format of the kernel (struct kauth_filesec).
func Mac(entries ...Entry) []byte {
	p := make([]byte, filesecHeader)
	binary.LittleEndian.PutUint32(p, filesecMagic)
	binary.LittleEndian.PutUint32(p[filesecCount:], uint32(len(entries)))
	for _, e := range entries {
		p = append(p, everyone...)
		p = binary.LittleEndian.AppendUint32(p, e.flags)
		p = binary.LittleEndian.AppendUint32(p, e.rights)
	}
	return p
}

package metadata

import (
	"encoding/binary"
	"slices"
)

// securityName is the extended attribute that holds the ACL of an entry on macOS.
const securityName = "com.apple.system.Security"

// Layout of struct kauth_filesec, the format of ACLs on macOS: a magic number, the GUIDs of owner and group,
// which are ignored, the number of entries, and flags; then the entries: a GUID, flags and rights (xnu,
// bsd/sys/kauth.h). Integers are in host byte order, which is little-endian on every supported Mac.
const (
	filesecMagic  = 0x012cc16d
	filesecHeader = 44
	filesecEntry  = 24
	filesecMax    = 128
	filesecCount  = 36 // offset of the number of entries
	filesecFlags  = 40
	aceFlags      = 16 // offset in an entry
	aceRights     = 20
	filesecNone   = 1<<32 - 1 // a number of entries: there is no ACL
)

// synchronize is a right that has no meaning on macOS. Windows shares add it to each entry that is set
// (SMBClient, smbfs_security.c).
const synchronize = 1 << 20

// volumeFlags are the flags of an ACL that belong to its file system.
const volumeFlags = 0xffff

// A filesec is an ACL of macOS. An ACL without entries denies everything to users other than the owner, so it
// differs from None.
type filesec struct {
	None    bool // there is no ACL
	Flags   uint32
	Entries []filesecACE
}

// A filesecACE grants rights to a user or group, or denies them. Entries apply in order, so two ACLs with the
// same entries in different orders differ.
type filesecACE struct {
	Who    [16]byte
	Flags  uint32 // the low four bits: 1 permits, 2 denies; 0x10 marks an inherited entry
	Rights uint32
}

// parseFilesec returns false for a value that the kernel would not accept.
func parseFilesec(p []byte) (f filesec, ok bool) {
	if len(p) < filesecHeader || binary.LittleEndian.Uint32(p) != filesecMagic {
		return f, false
	}
	n := binary.LittleEndian.Uint32(p[filesecCount:])
	f.Flags = binary.LittleEndian.Uint32(p[filesecFlags:])
	p = p[filesecHeader:]
	if n == filesecNone {
		f.None = true
		return f, len(p) == 0
	}
	if n > filesecMax || len(p) != int(n)*filesecEntry {
		return filesec{}, false
	}
	f.Entries = make([]filesecACE, 0, n)
	for e := range slices.Chunk(p, filesecEntry) {
		f.Entries = append(f.Entries, filesecACE{
			Who:    [16]byte(e),
			Flags:  binary.LittleEndian.Uint32(e[aceFlags:]),
			Rights: binary.LittleEndian.Uint32(e[aceRights:]),
		})
	}
	return f, true
}

// encode is the inverse of parseFilesec, except for the GUIDs of owner and group.
func (f filesec) encode() []byte {
	n := uint32(len(f.Entries))
	if f.None {
		n, f.Entries = filesecNone, nil
	}
	p := make([]byte, filesecHeader, filesecHeader+len(f.Entries)*filesecEntry)
	binary.LittleEndian.PutUint32(p, filesecMagic)
	binary.LittleEndian.PutUint32(p[filesecCount:], n)
	binary.LittleEndian.PutUint32(p[filesecFlags:], f.Flags)
	for _, e := range f.Entries {
		p = append(p, e.Who[:]...)
		p = binary.LittleEndian.AppendUint32(p, e.Flags)
		p = binary.LittleEndian.AppendUint32(p, e.Rights)
	}
	return p
}

// canonicalFilesec returns a value that is the same for ACLs with the same meaning: it lacks the parts that no
// kernel uses and the parts that do not belong to the entry. A value that is not an ACL is returned unchanged.
func canonicalFilesec(value []byte) []byte {
	f, ok := parseFilesec(value)
	if !ok {
		return value
	}
	f.Flags &^= volumeFlags
	for i := range f.Entries {
		f.Entries[i].Rights &^= synchronize
	}
	return f.encode()
}

// deniesSomething reports whether an ACL denies anything. A denial also binds the owner, except for changes of
// the ACL and the mode.
func deniesSomething(value []byte) bool {
	const kinds, deny = 0xf, 2
	f, _ := parseFilesec(value)
	return slices.ContainsFunc(f.Entries, func(e filesecACE) bool { return e.Flags&kinds == deny })
}

// noFilesec reports whether a value means that there is no ACL.
func noFilesec(name string, value []byte) bool {
	f, ok := parseFilesec(value)
	return ok && f.None && name == securityName
}

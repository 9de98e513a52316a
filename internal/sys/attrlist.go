package sys

import (
	"encoding/binary"
	"io/fs"
)

// The buffers of getattrlist(2) and setattrlist(2) of macOS consist of 32-bit words with 4-byte alignment in
// host byte order, which is little-endian on every Mac. This file builds and parses them by hand, so that the
// code can be tested on every system.

// Sizes and numbers of a kauth_filesec, the form that an ACL has in the kernel
// (xnu, bsd/sys/kauth.h).
const (
	filesecMagic   = 0x012cc16d
	filesecHeader  = 44 // magic, owner, group, number of entries, flags of the ACL
	filesecOwner   = 4
	filesecCount   = 36
	filesecEntry   = 24         // who, flags, rights
	filesecEntries = 128        // at most
	filesecNone    = 0xffffffff // in place of the number: there is no ACL
)

// Offsets in the result of getattrlist(2) for attrCmnReturnedAttrs and one attribute of variable length.
const (
	replyCommon    = 4  // after the length: which of the common attributes follow
	replyReference = 24 // after five words of attributes: offset from here, length
	replyMinimum   = 32
)

const attrCmnExtendedSecurity = 0x400000

// filesecSize returns the length that a kauth_filesec says it has. ok is false if
// b is not a kauth_filesec. Without an ACL it consists of the header only.
func filesecSize(b []byte) (size int, some, ok bool) {
	if len(b) < filesecHeader || binary.LittleEndian.Uint32(b) != filesecMagic {
		return 0, false, false
	}
	n := binary.LittleEndian.Uint32(b[filesecCount:])
	if n == filesecNone {
		return filesecHeader, false, true
	}
	if n > filesecEntries {
		return 0, false, false
	}
	return filesecHeader + int(n)*filesecEntry, true, true
}

// parseSecurity finds the kauth_filesec in a reply. It returns nil if there is no ACL. An ACL without entries
// counts as an ACL: it denies access.
func parseSecurity(reply []byte) ([]byte, error) {
	if len(reply) < replyReference {
		return nil, fs.ErrInvalid
	}
	total := binary.LittleEndian.Uint32(reply)
	if uint64(total) > uint64(len(reply)) || total < replyReference {
		return nil, fs.ErrInvalid
	}
	reply = reply[:total]
	if binary.LittleEndian.Uint32(reply[replyCommon:])&attrCmnExtendedSecurity == 0 {
		return nil, nil
	}
	if total < replyMinimum {
		return nil, fs.ErrInvalid
	}
	start := int64(replyReference) + int64(int32(binary.LittleEndian.Uint32(reply[replyReference:])))
	end := start + int64(binary.LittleEndian.Uint32(reply[replyReference+4:]))
	if end == start {
		return nil, nil
	}
	if start < replyMinimum || end > int64(total) {
		return nil, fs.ErrInvalid
	}
	size, some, ok := filesecSize(reply[start:end])
	switch {
	case !ok || int64(size) > end-start:
		return nil, fs.ErrInvalid
	case !some:
		return nil, nil
	}
	filesec := append([]byte(nil), reply[start:start+int64(size)]...)
	clear(filesec[filesecOwner:filesecCount]) // the owner and group of the file are not part of the ACL
	return filesec, nil
}

// securityAttr builds the buffer that sets an ACL, a reference to it first. The kernel requires
// exactly the length that results from the number of entries.
func securityAttr(filesec []byte) ([]byte, error) {
	size, _, ok := filesecSize(filesec)
	if !ok || size != len(filesec) {
		return nil, fs.ErrInvalid
	}
	b := binary.LittleEndian.AppendUint32(nil, 8) // behind the reference
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	return append(b, filesec...), nil
}

// noFilesec returns the kauth_filesec to set in order to remove an ACL.
func noFilesec() []byte {
	b := make([]byte, filesecHeader)
	binary.LittleEndian.PutUint32(b, filesecMagic)
	binary.LittleEndian.PutUint32(b[filesecCount:], filesecNone)
	return b
}

// timeAttr builds the buffer that sets one time: a struct timespec.
func timeAttr(sec, nsec int64) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(sec))
	return binary.LittleEndian.AppendUint64(b, uint64(nsec))
}

// flagsAttr builds the buffer that sets the flags of chflags(2).
func flagsAttr(flags uint32) []byte { return binary.LittleEndian.AppendUint32(nil, flags) }

// capabilitiesReply is the length of a reply with the capabilities of a volume: its own length, four words of
// capabilities, and four words that say which capabilities are valid.
const capabilitiesReply = 4 + 2*4*4

// volCapIntExtendedAttr is the capability to keep extended attributes, among those of interfaces.
const volCapIntExtendedAttr = 0x4000

// parseKeepsXattrs reports whether a volume stores extended attributes natively. ok is
// false if the reply does not say.
func parseKeepsXattrs(reply []byte) (keeps, ok bool) {
	if len(reply) < capabilitiesReply || binary.LittleEndian.Uint32(reply) < capabilitiesReply {
		return false, false
	}
	const (
		interfaces = 4  // after the word for formats
		valid      = 16 // the second set of four words
	)
	capable := binary.LittleEndian.Uint32(reply[4+interfaces:])
	known := binary.LittleEndian.Uint32(reply[4+valid+interfaces:])
	return capable&volCapIntExtendedAttr != 0, known&volCapIntExtendedAttr != 0
}

package vfs

import "io/fs"

// The bits of chmod(2) that [fs.FileMode] has elsewhere.
const (
	unixSticky uint32 = 0o1000
	unixSetgid uint32 = 0o2000
	unixSetuid uint32 = 0o4000
)

// UnixMode returns the permissions of a mode, including the set-id and sticky bits, as chmod(2) takes them.
func UnixMode(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	if mode&fs.ModeSticky != 0 {
		bits |= unixSticky
	}
	if mode&fs.ModeSetgid != 0 {
		bits |= unixSetgid
	}
	if mode&fs.ModeSetuid != 0 {
		bits |= unixSetuid
	}
	return bits
}

// WithUnixMode returns mode with the bits that UnixMode returns replaced.
func WithUnixMode(mode fs.FileMode, bits uint32) fs.FileMode {
	mode = mode&^(fs.ModePerm|fs.ModeSticky|fs.ModeSetgid|fs.ModeSetuid) | fs.FileMode(bits).Perm()
	if bits&unixSticky != 0 {
		mode |= fs.ModeSticky
	}
	if bits&unixSetgid != 0 {
		mode |= fs.ModeSetgid
	}
	if bits&unixSetuid != 0 {
		mode |= fs.ModeSetuid
	}
	return mode
}

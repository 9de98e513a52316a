package policy

import "io/fs"

// IsLink reports whether mode is that of a symbolic link.
func IsLink(mode fs.FileMode) bool { return mode.Type() == fs.ModeSymlink }

// SpecialBits are the mode bits that only a copy with the owner of its source may have.
const SpecialBits = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Omitted returns the rights that a new copy of an entry with this mode lacks as long as other users could
// misuse them.
func (o *Options) Omitted(mode fs.FileMode) fs.FileMode {
	switch {
	case o.Preserve.Ownership:
		return mode & 0o077
	case mode.IsDir():
		return mode & 0o022
	}
	return 0
}

// NewFile returns the mode with which to make the copy of a regular file. extra are the rights in first that
// the copy has only temporarily.
func (o *Options) NewFile(mode fs.FileMode, root bool) (first, extra fs.FileMode) {
	perm := mode.Perm()
	first = perm &^ o.Omitted(mode)
	if o.Preserve.Xattr && !root {
		first |= 0o200 // otherwise no attribute could be set
	}
	return first, first &^ perm
}

// Parent returns the mode with which to make a directory that leads to an operand, and the rights that the
// directory lacks temporarily.
func (o *Options) Parent(mode fs.FileMode) (first, omitted fs.FileMode) {
	switch {
	case o.Preserve.Ownership:
		omitted = mode & 0o077
	case o.Preserve.Mode:
		omitted = mode & 0o022
	}
	if o.Preserve.NoMode {
		mode = 0o777
	}
	return mode &^ omitted, omitted
}

// ParentBack returns the mode that a directory which leads to an operand gets in the end, if its mode has to
// change. made is the mode that the directory actually got when it was made.
func (o *Options) ParentBack(made, omitted, umask fs.FileMode) (mode fs.FileMode, ok bool) {
	if o.Preserve.Mode {
		return 0, false
	}
	if omitted&^made != 0 {
		omitted &^= umask
	}
	return made | omitted, omitted&^made != 0 || made&0o700 != 0o700
}

// Plain returns the mode, before the umask, of a new entry that takes nothing from its source. made is the mode
// of a directory after it was made, with the bits that it has inherited.
func Plain(mode, made fs.FileMode) fs.FileMode {
	switch {
	case mode.IsDir():
		return 0o777 | made&fs.ModeSetgid
	case mode.Type() == fs.ModeSocket:
		return 0o777
	}
	return 0o666
}

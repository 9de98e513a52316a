package policy

import "io/fs"

// IsLink reports whether mode is that of a symbolic link.
func IsLink(mode fs.FileMode) bool { return mode.Type() == fs.ModeSymlink }

// SpecialBits are those that only the owner's copy may have.
const SpecialBits = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// Omitted returns rights that a new copy of an entry of some mode lacks while others could misuse them.
func (o *Options) Omitted(mode fs.FileMode) fs.FileMode {
	switch {
	case o.Preserve.Ownership:
		return mode & 0o077
	case mode.IsDir():
		return mode & 0o022
	}
	return 0
}

// NewFile returns the mode to make a copy of a regular file with. extra are rights in it that it has for a while.
func (o *Options) NewFile(mode fs.FileMode, root bool) (first, extra fs.FileMode) {
	perm := mode.Perm()
	first = perm &^ o.Omitted(mode)
	if o.Preserve.Xattr && !root {
		first |= 0o200 // or no attribute can be set
	}
	return first, first &^ perm
}

// Parent returns the mode to make a directory with that leads to an operand, and what it lacks for a while.
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

// ParentBack returns the mode that a directory which leads to an operand gets back in the end, if it is to get one.
// made is what it was made with, whatever was asked for.
func (o *Options) ParentBack(made, omitted, umask fs.FileMode) (mode fs.FileMode, ok bool) {
	if o.Preserve.Mode {
		return 0, false
	}
	if omitted&^made != 0 {
		omitted &^= umask
	}
	return made | omitted, omitted&^made != 0 || made&0o700 != 0o700
}

// Plain returns the mode, but for the umask, that a new entry has where nothing is taken from its source. made is that of a
// directory after it was made, from which it has inherited.
func Plain(mode, made fs.FileMode) fs.FileMode {
	switch {
	case mode.IsDir():
		return 0o777 | made&fs.ModeSetgid
	case mode.Type() == fs.ModeSocket:
		return 0o777
	}
	return 0o666
}

// Octal returns the permission bits of a mode as numbers of Unix.
func Octal(mode fs.FileMode) uint32 {
	n := uint32(mode.Perm())
	for i, bit := range []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if mode&bit != 0 {
			n |= 0o1000 << i
		}
	}
	return n
}

// Letters returns the permission bits of a mode as ls shows them.
func Letters(mode fs.FileMode) string {
	text := []byte("rwxrwxrwx")
	for i := range text {
		if mode&(0o400>>i) == 0 {
			text[i] = '-'
		}
	}
	for i, special := range []struct {
		bit  fs.FileMode
		with string // x and without x
	}{{fs.ModeSetuid, "sS"}, {fs.ModeSetgid, "sS"}, {fs.ModeSticky, "tT"}} {
		at := 3*i + 2
		switch {
		case mode&special.bit == 0:
		case text[at] == 'x':
			text[at] = special.with[0]
		default:
			text[at] = special.with[1]
		}
	}
	return string(text)
}

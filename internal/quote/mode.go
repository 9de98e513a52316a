package quote

import "io/fs"

// Permissions returns the permission bits of a mode as ls shows them.
func Permissions(mode fs.FileMode) string {
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

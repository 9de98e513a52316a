package gnucp

import (
	"io/fs"

	"psync/internal/gnucp/output"
)

// mayOverwrite asks.
func (w *worker) mayOverwrite(it *item) bool {
	mode := it.was.Mode
	name, bits, rights := output.Plain(w.Name), octal(mode), output.Plain(letters(mode))
	switch unwritable := !isLink(*it.was) && !w.root && it.dst.At.Writable(it.dst.Name) != nil; {
	case !unwritable:
		it.out.Prompt("%s: overwrite %s? ", name, it.dst)
	case w.Force || w.RemoveDestination:
		it.out.Prompt("%s: replace %s, overriding mode %04o (%s)? ", name, it.dst, bits, rights)
	default:
		it.out.Prompt("%s: unwritable %s (mode %04o, %s); try anyway? ", name, it.dst, bits, rights)
	}
	return w.answer()
}

// answer reads a line, and reports whether it is a yes. No more than the line is taken from the
// input, which others may want to go on with.
func (w *worker) answer() bool {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := w.Stdin.Read(b)
		if n > 0 && b[0] != '\n' {
			line = append(line, b[0])
			continue
		}
		if n > 0 || err != nil {
			break
		}
	}
	return len(line) > 0 && (line[0] == 'y' || line[0] == 'Y')
}

// octal returns the permission bits of a mode as numbers of Unix.
func octal(mode fs.FileMode) uint32 {
	n := uint32(mode.Perm())
	for i, bit := range []fs.FileMode{fs.ModeSticky, fs.ModeSetgid, fs.ModeSetuid} {
		if mode&bit != 0 {
			n |= 0o1000 << i
		}
	}
	return n
}

// letters returns the permission bits of a mode as ls shows them.
func letters(mode fs.FileMode) string {
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

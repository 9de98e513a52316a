package gnucp

import (
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
)

// mayOverwrite asks.
func (w *worker) mayOverwrite(it *item) bool {
	mode := it.Was.Mode
	name, bits, rights := output.Plain(w.Name), policy.Octal(mode), output.Plain(policy.Letters(mode))
	switch unwritable := !policy.IsLink(it.Was.Mode) && !w.shared.Root && it.Dst.At.Writable(it.Dst.Name) != nil; {
	case !unwritable:
		it.Out.Prompt("%s: overwrite %s? ", name, it.Dst)
	case w.Force || w.RemoveDestination:
		it.Out.Prompt("%s: replace %s, overriding mode %04o (%s)? ", name, it.Dst, bits, rights)
	default:
		it.Out.Prompt("%s: unwritable %s (mode %04o, %s); try anyway? ", name, it.Dst, bits, rights)
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

package ui

import (
	"path"

	"psync/internal/report"
)

// appendStep appends the line of a step, its newline included: what is done,
// and to which path relative to DEST. Directories end in a slash, and links
// show their target, hard links the name they are another one of.
func appendStep(line []byte, e report.Event) []byte {
	line = append(line, word(e)...)
	line = appendPath(line, e)
	line = appendTarget(line, e)
	return append(line, '\n')
}

// word returns what is done, padded to the longest of the words.
func word(e report.Event) string {
	switch e.Kind {
	case report.Mkdir:
		return "mkdir   "
	case report.Copy:
		if isSpecial(e) {
			return "mknod   "
		}
		return "copy    "
	case report.Replace:
		return "replace "
	case report.Symlink:
		return "symlink "
	case report.Link:
		return "link    "
	case report.SetAttr:
		return "attrs   "
	case report.Delete:
		return "delete  "
	default:
		return "skip    "
	}
}

// appendPath appends the path of e, with a slash behind that of a directory.
func appendPath(line []byte, e report.Event) []byte {
	line = appendEscaped(line, relative(e))
	// An operand may have a slash already.
	if (e.IsDir || e.Kind == report.Mkdir) && line[len(line)-1] != '/' {
		line = append(line, '/')
	}
	return line
}

// appendTarget appends where a link leads, with the arrows of rsync. Of one that
// goes nobody needs to know.
func appendTarget(line []byte, e report.Event) []byte {
	switch {
	case e.Target == "", e.Kind == report.Delete:
		return line
	case e.Kind == report.Link:
		line = append(line, " => "...)
	default:
		line = append(line, " -> "...)
	}
	return appendEscaped(line, e.Target)
}

// relative returns the path of e as plans show it: without the source that it
// is skipped in, but with the operand that it is removed from, if e names one.
func relative(e report.Event) string {
	switch {
	case e.Kind < report.Skip && e.Root != "":
		return e.Path()
	case e.Dir != "" && e.Name != "":
		return e.Dir + "/" + e.Name
	case e.Dir != "" || e.Name != "":
		return e.Dir + e.Name
	case e.Root != "":
		return path.Base(e.Root) // an operand that is itself left out
	}
	return "."
}

package ui

import (
	"path"

	"psync/internal/report"
)

// appendStep appends the line of a step, its newline included: what is done,
// and to which path relative to DEST. Directories end in a slash, and links
// show their target.
func appendStep(line []byte, e report.Event) []byte {
	line = append(line, word(e.Kind)...)
	line = appendEscaped(line, relative(e))
	if e.IsDir || e.Kind == report.Mkdir {
		line = append(line, '/')
	}
	if e.Target != "" {
		line = append(line, " -> "...)
		line = appendEscaped(line, e.Target)
	}
	return append(line, '\n')
}

// word returns what is done, padded to the longest of the words.
func word(k report.Kind) string {
	switch k {
	case report.Mkdir:
		return "mkdir   "
	case report.Copy:
		return "copy    "
	case report.Replace:
		return "replace "
	case report.Symlink:
		return "symlink "
	default:
		return "skip    "
	}
}

// relative returns the path of e without its root.
func relative(e report.Event) string {
	switch {
	case e.Dir != "" && e.Name != "":
		return e.Dir + "/" + e.Name
	case e.Dir != "" || e.Name != "":
		return e.Dir + e.Name
	case e.Root != "":
		return path.Base(e.Root) // an operand that is itself left out
	}
	return "."
}

package ui

import (
	"path"

	"psync/internal/report"
)

// appendStep appends the line of a step, including its newline: the action, and the path relative to DEST.
// Directories end in a slash, symbolic links show their target, and hard links show the name that they are
// linked to.
func appendStep(line []byte, e report.Event) []byte {
	line = append(line, word(e)...)
	line = appendPath(line, e, appendEscaped)
	line = appendTarget(line, e, appendEscaped)
	return append(line, '\n')
}

// stepWords are the words for actions, padded to the length of the longest word.
var stepWords = [...]string{
	report.Mkdir: "mkdir   ", report.Copy: "copy    ", report.Replace: "replace ", report.Symlink: "symlink ",
	report.Link: "link    ", report.SetAttr: "attrs   ", report.Delete: "delete  ", report.Skip: "skip    ",
}

func word(e report.Event) string {
	if e.Kind == report.Copy && isSpecial(e) {
		return "mknod   "
	}
	return stepWords[e.Kind]
}

// appendPath appends the path of e, with a trailing slash for a directory.
func appendPath(line []byte, e report.Event, escape escaper) []byte {
	line = escape(line, relative(e))
	// An operand may already have a slash.
	if (e.IsDir || e.Kind == report.Mkdir) && line[len(line)-1] != '/' {
		line = append(line, '/')
	}
	return line
}

// appendTarget appends the target of a link, with the arrows of rsync. It appends nothing for a link that is
// removed.
func appendTarget(line []byte, e report.Event, escape escaper) []byte {
	switch {
	case e.Target == "", e.Kind == report.Delete:
		return line
	case e.Kind == report.Link:
		line = append(line, " => "...)
	default:
		line = append(line, " -> "...)
	}
	return escape(line, e.Target)
}

// relative returns the path of e as plans show it: without the source of a skipped entry, but with the operand
// of a removed entry, if e names an operand.
func relative(e report.Event) string {
	switch {
	case e.Kind < report.Skip && e.Root != "":
		return e.Path()
	case e.Dir != "" && e.Name != "":
		return e.Dir + "/" + e.Name
	case e.Dir != "" || e.Name != "":
		return e.Dir + e.Name
	case e.Root != "":
		return path.Base(e.Root) // the operand itself is left out
	}
	return "."
}

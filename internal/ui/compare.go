package ui

import (
	"io/fs"
	"strings"
	"sync/atomic"

	"psync/internal/report"
)

// differences counts the results of a comparison. Its counters are atomic, because they count even when nothing
// is listed.
type differences struct {
	differ, onlySource, onlyDest atomic.Int64
}

func (d *differences) add(e report.Event) {
	switch {
	case isOnlySource(e):
		d.onlySource.Add(1)
	case e.Kind == report.Delete:
		d.onlyDest.Add(1)
	default:
		d.differ.Add(1)
	}
}

// isOnlySource reports whether the destination has no entry with the name of e. For steps that make links, only
// the differences distinguish missing names from names that belong to several entries instead of one.
func isOnlySource(e report.Event) bool {
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink:
		return true
	case report.Link:
		return e.Diff == 0 || e.Diff&report.DiffNew != 0
	}
	return false
}

// Differences returns the number of entries that a comparison has found to differ or to be missing on one side.
// It is 0 unless [Config] has Compare set.
func (p *Printer) Differences() int64 {
	d := &p.differences
	return d.differ.Load() + d.onlySource.Load() + d.onlyDest.Load()
}

// appendDifference appends the line of a difference: the step that would remove the difference, described as a
// state of the two trees. The path comes last, because names may contain any characters.
func appendDifference(line []byte, e report.Event) []byte {
	switch {
	case e.Kind == report.Skip:
		return line // excluded entries are reported at the end
	case isOnlySource(e):
		line = append(line, "only in source: "...)
	case e.Kind == report.Delete:
		line = append(line, "only in destination: "...)
	default:
		line = append(line, "differs"+diffNames(e)+": "...)
	}
	line = appendPath(line, e, appendEscaped)
	return append(line, '\n')
}

// diffNames returns the differences of e in parentheses, or "" if e has none.
func diffNames(e report.Event) string {
	if e.Diff&report.DiffNew != 0 {
		return " (type)" // if the types differ, everything else differs anyway
	}
	contents := "contents"
	switch {
	case isLink(e):
		contents = "target"
	case e.Type&fs.ModeDevice != 0:
		contents = "device number"
	case isSpecial(e):
		contents = "type" // a fifo and a socket can differ in nothing else
	}
	var words []string
	add := func(diff report.Diff, word string) {
		if e.Diff&diff != 0 {
			words = append(words, word)
		}
	}
	add(report.DiffContents, contents)
	add(report.DiffSize, "size")
	add(report.DiffMtime, "mtime")
	for _, a := range report.Attributes {
		add(a.Diff&^report.DiffMtime, a.Word)
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// printDifferences writes the number of differences, if there are any.
func (p *Printer) printDifferences() {
	if p.quiet || p.Differences() == 0 {
		return
	}
	differ := p.differences.differ.Load()
	verb := "differ"
	if differ == 1 {
		verb = "differs"
	}
	p.errorf("%s", nameFirst("entry", "entries", []described{
		{differ, verb},
		{p.differences.onlySource.Load(), "only in source"},
		{p.differences.onlyDest.Load(), "only in destination"},
	}))
}

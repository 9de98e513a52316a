package ui

import (
	"strings"
	"sync/atomic"

	"psync/internal/report"
)

// differences counts what a comparison has found. Its counters are atomic, for
// they count even where nothing is listed.
type differences struct {
	differ, onlySource, onlyDest atomic.Int64
}

func (d *differences) add(e report.Event) {
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink, report.Link:
		d.onlySource.Add(1)
	case report.Replace, report.SetAttr:
		d.differ.Add(1)
	case report.Delete:
		d.onlyDest.Add(1)
	}
}

// Differences returns how many entries a comparison has found to be missing on
// one side or to differ. It is 0 unless [Config] has Compare set.
func (p *Printer) Differences() int64 {
	d := &p.differences
	return d.differ.Load() + d.onlySource.Load() + d.onlyDest.Load()
}

// appendDifference appends the line of a difference: the step that would level
// it, seen as what the two trees are. The path stands last, as names may hold
// anything.
func appendDifference(line []byte, e report.Event) []byte {
	switch e.Kind {
	case report.Mkdir, report.Copy, report.Symlink, report.Link:
		line = append(line, "only in source: "...)
	case report.Delete:
		line = append(line, "only in destination: "...)
	case report.Replace, report.SetAttr:
		line = append(line, "differs"+inWhat(e)+": "...)
	default:
		return line // what is left out is told at the end
	}
	line = appendPath(line, e)
	return append(line, '\n')
}

// inWhat returns the differences of e in parentheses, or "" if it has none.
func inWhat(e report.Event) string {
	if e.Diff&report.DiffNew != 0 {
		return " (type)" // all else differs of itself
	}
	contents := "contents"
	if isLink(e) {
		contents = "target"
	}
	var words []string
	for _, d := range [...]struct {
		diff report.Diff
		word string
	}{
		{report.DiffContents, contents},
		{report.DiffSize, "size"},
		{report.DiffMtime, "mtime"},
		{report.DiffPerms, "mode"},
		{report.DiffOwner, "owner"},
		{report.DiffGroup, "group"},
		{report.DiffAtime, "atime"},
	} {
		if e.Diff&d.diff != 0 {
			words = append(words, d.word)
		}
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// tellDifferences writes how many differences there are, if any.
func (p *Printer) tellDifferences() {
	if p.quiet || p.Differences() == 0 {
		return
	}
	differ := p.differences.differ.Load()
	verb := " differ"
	if differ == 1 {
		verb = " differs"
	}
	var parts []string
	for _, d := range [...]struct {
		n     int64
		words string
	}{
		{differ, verb},
		{p.differences.onlySource.Load(), " only in source"},
		{p.differences.onlyDest.Load(), " only in destination"},
	} {
		switch {
		case d.n == 0:
		case parts == nil: // the first one says what is counted
			parts = append(parts, things(d.n, "entry", "entries")+d.words)
		default:
			parts = append(parts, count(d.n)+d.words)
		}
	}
	p.errorf("%s", strings.Join(parts, ", "))
}

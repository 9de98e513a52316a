package ui

import (
	"strings"

	"psync/internal/report"
)

// showsFigures reports whether the last line of the run has all figures: if it is verbose or has shown its progress.
func (p *Printer) showsFigures() bool { return p.config.Verbose || p.hadProgress.Load() }

// figures describes what a run has done, and how long it took.
func (p *Printer) figures(o Outcome) string {
	if p.config.Removal {
		return "removed " + removed(o.Totals) + " in " + elapsed(o.Elapsed)
	}
	t := o.Totals
	files, bytes := t[report.FilesCopied], t[report.BytesCopied]
	line := "copied " + Things(files, "file", "files") + ", " + Size(bytes) + " in " + elapsed(o.Elapsed)
	if rate := perSecond(bytes, o.Elapsed); rate != "" && (bytes > 0 || t[report.FilesKept] == 0) {
		line += " (" + rate + ")"
	}
	parts := append([]string{line}, nonzero([]counted{
		{t[report.HardLinked], "hard link made", "hard links made"},
		{t[report.SpecialsMade], "special file made", "special files made"},
		{t[report.Verified], "verified", "verified"},
		{t[report.AttrsSet], "entry given attributes", "entries given attributes"},
		{t.Deleted(), "deleted", "deleted"},
		{t[report.FilesKept], "current", "current"},
		{t[report.FilesSkipped] + p.notes.countSkipped(), "skipped", "skipped"},
	})...)
	return strings.Join(parts, ", ") + ", " + Count(t[report.Failed]) + " failed"
}

// achieved describes what an unfinished run has done.
func (p *Printer) achieved(o Outcome) string {
	if p.showsFigures() {
		return p.figures(o)
	}
	t := o.Totals
	gone := t.Deleted()
	if p.config.Removal {
		return were(gone, "entry", "entries") + " removed"
	}
	files := t[report.FilesCopied]
	verb := " were copied"
	if files == 1 {
		verb = " was copied"
	}
	s := Things(files, "file", "files") + " (" + Size(t[report.BytesCopied]) + ")" + verb
	if gone > 0 {
		s += ", " + were(gone, "entry", "entries") + " deleted"
	}
	return s
}

// removed returns the numbers of removed entries by type, leaving out types without any.
func removed(t report.Totals) string {
	parts := nonzero([]counted{
		{t[report.FilesDeleted], "file", "files"},
		{t[report.DirsDeleted], "directory", "directories"},
		{t[report.LinksDeleted], "link", "links"},
		{t[report.SpecialsDeleted], "special file", "special files"},
	})
	if parts == nil {
		return "nothing"
	}
	return List(parts)
}

// A counted is a number of things with their noun.
type counted struct {
	n         int64
	one, many string
}

// nonzero returns those numbers that are not zero, with their nouns.
func nonzero(all []counted) (parts []string) {
	for _, c := range all {
		if c.n > 0 {
			parts = append(parts, Things(c.n, c.one, c.many))
		}
	}
	return parts
}

// List joins parts as in a sentence: a, b and c.
func List(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

package ui

import (
	"strings"

	"psync/internal/report"
)

// printDropped writes which attributes of the source are not kept because no option asks for them, and which
// options would keep them. Such losses are the user's choice, provided that the user knows about them.
func (p *Printer) printDropped(t report.Totals) {
	if p.quiet || p.compare || p.removal {
		return
	}
	p.printDroppedForks(t[report.DroppedForks])
	var parts []string
	for _, m := range [...]struct {
		n     int64
		words string
	}{
		{t[report.DroppedHardLinks], " other hard links (-H)"},
		{t[report.DroppedACLs], " an ACL (-A)"},
		{t[report.DroppedXattrs], " extended attributes (-X)"},
	} {
		switch {
		case m.n == 0:
		case parts == nil: // the first part names what is counted
			parts = append(parts, things(m.n, "file", "files")+" had"+m.words)
		default:
			parts = append(parts, Count(m.n)+m.words)
		}
	}
	fate := "not kept"
	if p.dryRun {
		fate = "would not be kept"
	}
	if parts != nil {
		p.errorf("note: %s: %s", strings.Join(parts, ", "), fate)
	}
	if p.dropsTimes && t[report.FilesCopied] > 0 {
		p.errorf("note: modification times (-times): %s", fate)
	}
}

// printDroppedForks warns about files whose copies lack a part of their contents.
func (p *Printer) printDroppedForks(n int64) {
	if n == 0 {
		return
	}
	fate := "was not copied"
	if p.dryRun {
		fate = "would not be copied"
	}
	p.warnf("the resource fork or Finder info of %s %s: -X copies it", things(n, "file", "files"), fate)
}

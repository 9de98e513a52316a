package ui

import "psync/internal/report"

// printDropped writes which attributes of the source are not kept because no option asks for them, and which
// options would keep them. Such losses are the user's choice, provided that the user knows about them.
func (p *Printer) printDropped(t report.Totals) {
	if p.quiet || p.config.Compare || p.config.Removal {
		return
	}
	p.printDroppedForks(t[report.DroppedForks])
	dropped := nameFirst("file had", "files had", []described{
		{t[report.DroppedHardLinks], "other hard links (-H)"},
		{t[report.DroppedACLs], "an ACL (-A)"},
		{t[report.DroppedXattrs], "extended attributes (-X)"},
	})
	fate := "not kept"
	if p.config.DryRun {
		fate = "would not be kept"
	}
	if dropped != "" {
		p.errorf("note: %s: %s", dropped, fate)
	}
	if p.config.DropsTimes && t[report.FilesCopied] > 0 {
		p.errorf("note: modification times (-times): %s", fate)
	}
}

// printDroppedForks warns about files whose copies lack a part of their contents.
func (p *Printer) printDroppedForks(n int64) {
	if n == 0 {
		return
	}
	fate := "was not copied"
	if p.config.DryRun {
		fate = "would not be copied"
	}
	p.warnf("the resource fork or Finder info of %s %s: -X copies it", Things(n, "file", "files"), fate)
}

package ui

import (
	"fmt"
	"maps"
	"slices"
)

// printNotes writes a line for each kind of counted event.
func (p *Printer) printNotes() {
	p.notes.mu.Lock()
	defer p.notes.mu.Unlock()
	p.printSkipped(p.notes.skipped)
	for _, why := range slices.Sorted(maps.Keys(p.notes.leftOut)) {
		p.printLeftOut(why, p.notes.leftOut[why])
	}
	for _, attr := range slices.Sorted(maps.Keys(p.notes.unkept)) {
		p.printUnkept(attr, *p.notes.unkept[attr])
	}
	p.printLeft(p.notes.ofVolumes, "entry", "entries",
		"left out, for macOS keeps %s for itself in the root of a volume; --volume-files takes %[1]s, too")
	p.printLeft(p.notes.inUse, "temporary file", "temporary files", "left alone, for psync may be at work on %s on another system")
}

func (p *Printer) printSkipped(n note) {
	switch n.n {
	case 0:
	case 1:
		p.warnf("1 special file (fifo, socket or device) was skipped, -D copies it: %s", n.first)
	default:
		p.warnf("%s special files (fifos, sockets, devices) were skipped, -D copies them (first: %s)", Count(n.n), n.first)
	}
}

// printLeft writes a note of entries that are left as they are; why has a verb for the pronoun that stands for them.
func (p *Printer) printLeft(n note, one, many, why string) {
	if n.n > 0 && !p.quiet {
		them, first := n.them()
		p.errorf("note: %s %s (%s)", were(n.n, one, many), fmt.Sprintf(why, them), first)
	}
}

func (p *Printer) printLeftOut(why string, n *note) {
	_, first := n.them()
	one, many := n.nouns()
	p.warnf("%s left out: %s (%s)", were(n.n, one, many), why, first)
}

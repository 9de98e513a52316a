package ui

import (
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
	p.printVolumeFiles(p.notes.ofVolumes)
	p.printLeft(p.notes.inUse)
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

func (p *Printer) printVolumeFiles(n note) {
	if n.n == 0 || p.quiet {
		return
	}
	them, first := n.them()
	p.errorf("note: %s left out, for macOS keeps %s for itself in the root of a volume; --volume-files takes %s, too (%s)",
		were(n.n, "entry", "entries"), them, them, first)
}

func (p *Printer) printLeft(n note) {
	if n.n == 0 || p.quiet {
		return
	}
	them, first := n.them()
	p.errorf("note: %s left alone, for psync may be at work on %s on another system (%s)",
		were(n.n, "temporary file", "temporary files"), them, first)
}

func (p *Printer) printLeftOut(why string, n *note) {
	first := n.first
	if n.n > 1 {
		first = "first: " + first
	}
	one, many := n.nouns()
	p.warnf("%s left out: %s (%s)", were(n.n, one, many), why, first)
}

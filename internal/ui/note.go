package ui

import (
	"maps"
	"slices"
	"sync"

	"psync/internal/report"
)

// A note counts entries that had the same fate, and remembers the first.
type note struct {
	n                  int64
	files, dirs, links int64 // how many of them are regular files, directories and symbolic links
	asked              bool  // at least one of them is a failure
	first              string
	err                error // of the first
}

func (n *note) add(e report.Event) {
	if n.n == 0 {
		n.first, n.err = Escape(e.Path()), e.Err
	}
	n.n++
	switch {
	case e.IsDir:
		n.dirs++
	case isLink(e):
		n.links++
	case e.Type == 0:
		n.files++
	}
	n.asked = n.asked || e.Asked
}

// nouns returns what the entries are as far as all are alike.
func (n *note) nouns() (one, many string) {
	switch n.n {
	case n.files:
		return "file", "files"
	case n.dirs:
		return "directory", "directories"
	case n.links:
		return "link", "links"
	}
	return "entry", "entries"
}

// notes holds what is told once, at the end. It has a lock of its own: counting
// must not wait for a slow terminal.
type notes struct {
	mu         sync.Mutex       // guards what follows
	skipped    note             // special files
	leftOut    map[string]*note // by the reason, of which there are few
	unkept     map[report.Attr]*note
	left       note // temporaries that others may be at work on
	ofVolumes  note // what the system keeps for itself in the roots of volumes
	failedDirs int64
}

func (ns *notes) skip(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	if e.Err == nil {
		ns.skipped.add(e)
		return
	}
	addTo(&ns.leftOut, reason(e.Err), e)
}

func (ns *notes) leave(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.left.add(e)
}

func (ns *notes) leaveVolumeFile(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.ofVolumes.add(e)
}

func (ns *notes) unkeep(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	addTo(&ns.unkept, e.Attr, e)
}

// addTo adds e to the note of m that key stands for, which it makes if need be.
func addTo[K comparable](m *map[K]*note, key K, e report.Event) {
	n := (*m)[key]
	if n == nil {
		if *m == nil {
			*m = make(map[K]*note)
		}
		n = new(note)
		(*m)[key] = n
	}
	n.add(e)
}

func (ns *notes) fail(e report.Event) {
	if !e.IsDir {
		return
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.failedDirs++
}

// tellNotes writes the lines about what was counted.
func (p *Printer) tellNotes() {
	p.notes.mu.Lock()
	defer p.notes.mu.Unlock()
	p.tellSkipped(p.notes.skipped)
	for _, why := range slices.Sorted(maps.Keys(p.notes.leftOut)) {
		p.tellLeftOut(why, p.notes.leftOut[why])
	}
	for _, attr := range slices.Sorted(maps.Keys(p.notes.unkept)) {
		p.tellUnkept(attr, *p.notes.unkept[attr])
	}
	p.tellVolumeFiles(p.notes.ofVolumes)
	p.tellLeft(p.notes.left)
}

func (p *Printer) tellSkipped(n note) {
	switch n.n {
	case 0:
	case 1:
		p.warnf("1 special file (fifo, socket or device) was skipped, -D copies it: %s", n.first)
	default:
		p.warnf("%s special files (fifos, sockets, devices) were skipped, -D copies them (first: %s)", count(n.n), n.first)
	}
}

// them returns the pronoun for what n counts, and which is the first of them.
func (n note) them() (pronoun, first string) {
	if n.n > 1 {
		return "them", "first: " + n.first
	}
	return "it", n.first
}

func (p *Printer) tellVolumeFiles(n note) {
	if n.n == 0 || p.quiet {
		return
	}
	them, first := n.them()
	p.errorf("note: %s left out, for macOS keeps %s for itself in the root of a volume; --volume-files takes %s, too (%s)",
		were(n.n, "entry", "entries"), them, them, first)
}

func (p *Printer) tellLeft(n note) {
	if n.n == 0 || p.quiet {
		return
	}
	them, first := n.them()
	p.errorf("note: %s left alone, for psync may be at work on %s on another system (%s)",
		were(n.n, "temporary file", "temporary files"), them, first)
}

func (p *Printer) tellLeftOut(why string, n *note) {
	first := n.first
	if n.n > 1 {
		first = "first: " + first
	}
	one, many := n.nouns()
	p.warnf("%s left out: %s (%s)", were(n.n, one, many), why, first)
}

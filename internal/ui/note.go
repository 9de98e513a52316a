package ui

import (
	"maps"
	"slices"
	"sync"

	"psync/internal/report"
)

// A note counts entries that had the same fate, and remembers the first.
type note struct {
	n     int64
	asked bool // at least one of them is a failure
	first string
	err   error // of the first
}

func (n *note) add(e report.Event) {
	if n.n == 0 {
		n.first, n.err = Escape(e.Path()), e.Err
	}
	n.n++
	n.asked = n.asked || e.Asked
}

// notes holds what is told once, at the end. It has a lock of its own: counting
// must not wait for a slow terminal.
type notes struct {
	mu         sync.Mutex // guards what follows
	skipped    note
	unkept     map[report.Attr]*note
	failedDirs int64
}

func (ns *notes) skip(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	ns.skipped.add(e)
}

func (ns *notes) unkeep(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n := ns.unkept[e.Attr]
	if n == nil {
		if ns.unkept == nil {
			ns.unkept = make(map[report.Attr]*note)
		}
		n = new(note)
		ns.unkept[e.Attr] = n
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
	for _, attr := range slices.Sorted(maps.Keys(p.notes.unkept)) {
		p.tellUnkept(attr, *p.notes.unkept[attr])
	}
}

func (p *Printer) tellSkipped(n note) {
	switch n.n {
	case 0:
	case 1:
		p.warnf("1 special file (fifo, socket or device) was skipped: %s", n.first)
	default:
		p.warnf("%s special files (fifos, sockets, devices) were skipped, the first: %s", count(n.n), n.first)
	}
}

func (p *Printer) tellUnkept(attr report.Attr, n note) {
	tell := p.warnf
	if n.asked {
		tell = p.errorf
	}
	if n.n == 1 {
		tell("%s: the %s could not be kept: %s", n.first, attr, cause(n.err))
		return
	}
	tell("the %s of %s entries could not be kept: %s (first: %s)", attr, count(n.n), cause(n.err), n.first)
}

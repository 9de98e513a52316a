package ui

import (
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

// them returns the pronoun for what n counts, and which is the first of them.
func (n note) them() (pronoun, first string) {
	if n.n > 1 {
		return "them", "first: " + n.first
	}
	return "it", n.first
}

// notes holds what is reported once, at the end. It has a lock of its own: counting
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

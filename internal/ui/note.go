package ui

import (
	"sync"

	"psync/internal/lazymap"
	"psync/internal/report"
)

// A note counts entries with the same outcome, and records the first of them.
type note struct {
	n                  int64
	files, dirs, links int64 // numbers of regular files, directories and symbolic links
	asked              bool  // at least one entry is a failure
	first              string
	err                error // the error of the first entry
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

// nouns returns the nouns for the entries, as specific as their common type allows.
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

// them returns the pronoun for the entries of n, and the phrase for the first entry.
func (n note) them() (pronoun, first string) {
	if n.n > 1 {
		return "them", "first: " + n.first
	}
	return "it", n.first
}

// notes holds events that are reported once, at the end. It has its own lock, because counting must not wait
// for a slow terminal.
type notes struct {
	mu         sync.Mutex       // guards what follows
	skipped    note             // special files
	leftOut    map[string]*note // by reason; there are few reasons
	unkept     map[report.Attr]*note
	inUse      note // temporary files that other processes may be using
	ofVolumes  note // entries that the system keeps for itself in the roots of volumes
	failedDirs int64
}

// add counts an event.
func (ns *notes) add(e report.Event) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	switch {
	case e.Kind == report.Skip && e.Err == nil:
		ns.skipped.add(e)
	case e.Kind == report.Skip:
		addTo(&ns.leftOut, reason(e.Err), e)
	case e.Kind == report.VolumeFile:
		ns.ofVolumes.add(e)
	case e.Kind == report.Leave:
		ns.inUse.add(e)
	case e.Kind == report.Unkept:
		addTo(&ns.unkept, e.Attr, e)
	case e.Kind == report.Fail && e.IsDir:
		ns.failedDirs++
	}
}

// countSkipped returns the number of entries that were left out.
func (ns *notes) countSkipped() int64 {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n := ns.skipped.n
	for _, l := range ns.leftOut {
		n += l.n
	}
	return n
}

// addTo adds e to the note for key in m, and makes the note if it is missing.
func addTo[K comparable](m *map[K]*note, key K, e report.Event) {
	if (*m)[key] == nil {
		lazymap.Set(m, key, new(note))
	}
	(*m)[key].add(e)
}

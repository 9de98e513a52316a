package job

import (
	"sync"

	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
)

// A Dir is an open pair of directories that one worker or several work on.
type Dir struct {
	*DirInfo
	pairs.Pair
	Sharing Sharing // of its entries; nil if no other worker may share them

	backups backup.LazyDir // where entries go before they are replaced

	mu           sync.Mutex     // guards the fields below
	alternatives []*Counterpart // opened when needed
}

// Sharing is how workers share the entries of a directory.
type Sharing interface {
	Offer()       // entries to an idle worker
	Shared() bool // whether another worker has taken some
}

// Open returns the directory that d describes, open as p.
func (d *DirInfo) Open(p pairs.Pair) *Dir { return &Dir{DirInfo: d, Pair: p} }

// OpenAlternatives returns the counterparts of d in the other trees, which it opens once. It ignores those that
// cannot be opened.
func (d *Dir) OpenAlternatives(others *Alternatives) []*Counterpart {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.alternatives == nil {
		d.alternatives = others.Open(d.Path(""))
	}
	return d.alternatives
}

// CloseOthers closes what was opened in addition to the pair of directories.
func (d *Dir) CloseOthers() {
	d.backups.Close()
	if d.alternatives == nil || d.Path("") == "" {
		return // these are the roots, which belong to the caller
	}
	for _, alt := range d.alternatives {
		alt.Dir.Close()
	}
}

package job

import (
	"sync"

	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
)

// Sharing is how workers share the entries of a directory.
type Sharing interface {
	Offer()       // entries to an idle worker
	Shared() bool // whether another worker has taken some
}

// Open makes p the open directories of d until Close is called, and returns d. Only one worker opens d at a time: the
// one that processes its task, the one that makes its links or puts its delayed files in place in a later phase, or
// the one that sets its attributes because it has ended the last piece of work. Everyone else leaves the open
// directories alone.
func (d *Dir) Open(p pairs.Pair) *Dir {
	d.Src, d.Dst = p.Src, p.Dst
	return d
}

// Close ends the use of the open directories, which belong to the caller, and closes what was opened in addition.
func (d *Dir) Close() {
	if d.others != nil {
		d.others.close(d.Path(""))
	}
	d.Src, d.Dst, d.Sharing, d.others = nil, nil, nil, nil
}

// others is what is opened when needed in addition to a pair of directories.
type others struct {
	backups backup.LazyDir // where entries go before they are replaced

	mu           sync.Mutex // guards alternatives
	alternatives []*Counterpart
}

func (d *Dir) openOthers() *others {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.others == nil {
		d.others = new(others)
	}
	return d.others
}

// close closes what is open for the directory at path.
func (o *others) close(path string) {
	o.backups.Close()
	if path == "" {
		return // the alternatives are the roots, which belong to the caller
	}
	for _, alt := range o.alternatives {
		alt.Dir.Close()
	}
}

// OpenAlternatives returns the counterparts of d in the other trees, which it opens once. It ignores those that
// cannot be opened.
func (d *Dir) OpenAlternatives(in *Alternatives) []*Counterpart {
	o := d.openOthers()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.alternatives == nil {
		o.alternatives = in.Open(d.Path(""))
	}
	return o.alternatives
}

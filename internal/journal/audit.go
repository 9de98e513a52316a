package journal

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"unsafe"
)

// auditMemory is how many bytes an audit may use for identifiers. It uses more if it would otherwise have to read the
// journal more than maxParts times.
const (
	auditMemory = 12 << 20
	maxParts    = 32
)

// maxNamed is how many of the directories that are not done are listed with their paths.
const maxNamed = 10000

// An Audit is what a journal proves.
type Audit struct {
	Found   int64 // known directories: the roots, and the children of recorded directories
	Done    int64 // directories that were completed without a failure
	Failed  int64 // directories in which something failed
	Missing int64 // directories that were not started or not completed

	Unlinked  int64 // of those that are missing, directories of which nothing but entries with several names is left
	DestLinks bool  // entries with several names had several in the destination before
	Unremoved int64 // of those that are missing, directories of which nothing but removals is left
	Removals  Removals

	Entries       int64 // in recorded directories
	Bytes         int64
	FailedEntries int64

	// Open lists directories that are not done, 10,000 at most, sorted by path.
	Open []OpenDirectory
}

// Complete reports whether every known directory is done, so that none is missing and nothing failed.
func (a *Audit) Complete() bool { return a.Failed == 0 && a.Missing == 0 }

// An OpenDirectory is a directory that is not done.
type OpenDirectory struct {
	Root   int    // index of the root that it is below
	Path   string // below the root; "" is the root itself
	Failed int64  // entries that failed; 0: it was not started or not completed

	Abandoned, Unlinked, Unremoved bool // see Directory
}

// A status is what one record says about a directory.
type status struct {
	id              ID
	waits, repeated bool
	adds, ends      left
	failed          uint32
	n               int32 // the index among the records of a part; for a Completion its complement
}

// A left says what is left to do in a directory that is done otherwise.
type left uint8

const (
	links left = 1 << iota
	removals
)

func leftIn(d *Directory) (l left) {
	if d.Unlinked {
		l |= links
	}
	if d.Unremoved {
		l |= removals
	}
	return l
}

// unlinked and unremoved stand for the number of failures of a directory of which nothing but links, or removals, is left.
const (
	unlinked  = -1
	unremoved = -2
)

// Audit determines what the journal proves. It reads the journal several times, so that its use of memory does not
// depend on the size of the journal.
func (f *File) Audit() (*Audit, error) {
	last, err := f.latest()
	if err != nil {
		return nil, err
	}
	a := new(Audit)
	const each = int64(IDSize + unsafe.Sizeof(status{})) // found, and its status
	parts := min((f.Directories*each+auditMemory-1)/auditMemory, maxParts)
	open := make(map[ID]int64)
	var p auditedPart
	for part := range max(parts, 1) {
		if err := p.audit(f, a, last, uint64(part), uint64(max(parts, 1)), open); err != nil {
			return nil, err
		}
	}
	return a, f.nameOpen(a, last, open)
}

// An auditedPart holds the results for one part of the identifiers. Its memory is reused for the next part.
type auditedPart struct {
	found  []ID
	states []status
}

// audit adds to a what is known about one part of the identifiers. It adds directories that are not done to
// open, with the number of their failures.
func (p *auditedPart) audit(f *File, a *Audit, last map[ID]int64, part, parts uint64, open map[ID]int64) error {
	in := func(id ID) bool { return uint64(binary.BigEndian.Uint32(id[:]))*parts>>32 == part }
	size := f.Directories/int64(parts) + 64
	if p.found == nil {
		p.found, p.states = make([]ID, 0, size+size/16), make([]status, 0, size+size/16)
	}
	found, states := p.found[:0], p.states[:0]
	for i := range f.Job.Roots {
		if id := f.Key.Root(i); in(id) {
			found = append(found, id)
		}
	}
	add := func(s status) { states = append(states, s) }
	err := f.visit(latestOf(last, visitor{directory: func(d *Directory) {
		if in(d.ID) {
			add(status{d.ID, d.Waits, d.Repeated, leftIn(d), 0, saturated(d.Failed), int32(len(states))})
			a.DestLinks = a.DestLinks || d.DestLinks
			a.Removals.add(d.Removals)
			a.Entries, a.Bytes = a.Entries+d.Entries, a.Bytes+d.Bytes
			a.Found, a.Done = a.Found+d.Empty, a.Done+d.Empty
		}
		for _, name := range d.Children {
			if id := f.Key.Child(d.ID, name); in(id) {
				found = append(found, id)
			}
		}
	}, completion: func(s Completion) {
		if in(s.ID) {
			add(status{s.ID, false, false, 0, 0, saturated(s.Failed), ^int32(len(states))})
		}
	}, linked: func(l Linked) {
		if in(l.ID) {
			add(status{l.ID, false, false, 0, links, 0, ^int32(len(states))})
		}
	}, removed: func(r Removed) {
		if in(r.ID) {
			add(status{r.ID, false, false, 0, removals, 0, ^int32(len(states))})
		}
	}}))
	if err != nil {
		return err
	}
	slices.SortFunc(found, ID.Compare)
	found = slices.Compact(found)
	slices.SortFunc(states, func(a, b status) int {
		return cmp.Or(a.id.Compare(b.id), cmp.Compare(order(a.n), order(b.n)))
	})
	a.classify(found, states, open)
	p.found, p.states = found, states
	return nil
}

// saturated converts a number of failures to four bytes.
func saturated(n int64) uint32 { return uint32(min(n, math.MaxUint32)) }

func order(n int32) int32 { return max(n, ^n) }

// classify determines which of the known directories are done. Both slices are sorted by identifier.
func (a *Audit) classify(found []ID, states []status, open map[ID]int64) {
	for _, id := range found {
		for len(states) > 0 && states[0].id.Compare(id) < 0 {
			states = states[1:] // no recorded directory leads to it any more
		}
		a.Found++
		recorded, waits, failed, rest := false, 0, int64(0), left(0)
		for ; len(states) > 0 && states[0].id == id; states = states[1:] {
			s := states[0]
			if s.repeated {
				waits, failed, rest = 0, 0, 0
			}
			rest = rest&^s.ends | s.adds
			switch {
			case s.ends != 0:
			case s.n < 0:
				waits = max(waits-1, 0)
			case s.waits:
				waits++
				fallthrough
			default:
				recorded = true
			}
			failed += int64(s.failed)
		}
		switch {
		case failed > 0:
			a.Failed++
			a.FailedEntries += failed
			open[id] = failed
		case !recorded || waits > 0:
			a.Missing++
			open[id] = 0
		case rest&links != 0:
			a.Missing++
			if a.Unlinked++; a.Unlinked <= maxNamed {
				open[id] = unlinked
			}
		case rest != 0:
			a.Missing++
			if a.Unremoved++; a.Unremoved <= maxNamed {
				open[id] = unremoved
			}
		default:
			a.Done++
		}
	}
}

// nameOpen determines the paths of directories that are not done. It discounts directories that no root leads to any
// more, because an ancestor is gone.
func (f *File) nameOpen(a *Audit, last map[ID]int64, open map[ID]int64) error {
	ids, abandoned, err := f.chooseNamed(last, open)
	if err != nil {
		return err
	}
	t, err := f.findAncestry(ids, last)
	if err != nil {
		return err
	}
	for _, id := range ids {
		at, ok := t.path(id)
		if ok {
			at.Failed, at.Abandoned = max(open[id], 0), abandoned[id]
			at.Unlinked, at.Unremoved = open[id] == unlinked, open[id] == unremoved
			a.Open = append(a.Open, at)
			continue
		}
		a.Found--
		if open[id] > 0 {
			a.Failed--
			a.FailedEntries -= open[id]
		} else {
			a.Missing--
		}
		if open[id] == unlinked {
			a.Unlinked--
		}
		if open[id] == unremoved {
			a.Unremoved--
		}
	}
	slices.SortFunc(a.Open, func(a, b OpenDirectory) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Path, b.Path))
	})
	return nil
}

// chooseNamed returns the directories that are named of those that are not done: all that were abandoned, and then rather
// those that are missing than others, and those that failed last.
func (f *File) chooseNamed(last map[ID]int64, open map[ID]int64) (ids []ID, abandoned map[ID]bool, err error) {
	if len(open) == 0 {
		return nil, nil, nil
	}
	abandoned = make(map[ID]bool)
	err = f.visitLatest(last, func(d *Directory) {
		if delete(abandoned, d.ID); d.Abandoned {
			abandoned[d.ID] = true
		}
	}, nil)
	ids = slices.AppendSeq(ids, maps.Keys(abandoned))
	for _, is := range []func(failed int64) bool{isMissing, isLeft, hasFailed} {
		for id, failed := range open {
			if len(ids) < maxNamed && !abandoned[id] && is(failed) {
				ids = append(ids, id)
			}
		}
	}
	return ids, abandoned, err
}

func isMissing(failed int64) bool { return failed == 0 }
func isLeft(failed int64) bool    { return failed == unlinked || failed == unremoved }
func hasFailed(failed int64) bool { return failed > 0 }

func (r *Removals) add(more Removals) {
	r.Extraneous, r.Total, r.Uncounted = r.Extraneous+more.Extraneous, r.Total+more.Total, r.Uncounted || more.Uncounted
}

package report

import (
	"sync"
	"sync/atomic"
)

// A Count is one figure of the statistics.
type Count int

// The figures. Those that end in "Seen" count source entries, the others
// what was done with them.
const (
	DirsSeen     Count = iota
	FilesSeen          // regular files
	LinksSeen          // symbolic links
	SpecialsSeen       // fifos, sockets and devices
	BytesSeen          // total size of the regular files seen, in bytes

	LinkBytes // total length of the targets of the symbolic links seen

	RootsMade    // destinations that stand for the directory of a source and did not exist before; not among DirsMade
	DirsMade     // directories that did not exist before
	FilesMade    // files under new names
	LinksMade    // symbolic links under new names
	SpecialsMade // fifos, sockets and devices under new names
	HardLinked   // names made as hard links to what was copied under another
	Replaced     // existing entries replaced
	FilesCopied  // files whose contents were copied
	BytesCopied  // bytes copied so far, files in hand included; holes count as copied

	BytesLeft // bytes of files in hand that are not copied yet

	FilesKept // files that were current
	BytesKept // their size, and that of files made as hard links
	AttrsSet  // entries that were current but for attributes

	FilesSkipped // files left alone, newer or because of --existing or --ignore-existing
	BytesSkipped // their size, as far as it is known

	FilesDeleted // regular files that the source lacks, removed
	DirsDeleted
	LinksDeleted
	SpecialsDeleted

	Failed   // entries that could not be copied
	Vanished // source entries that were gone when their turn came
	Unkeeps  // attributes asked for that could not be set
	Private  // those of Failed that the privacy protection of the system may have denied

	Verified   // files that were read back and were equal
	Mismatched // files that were copied once more because they did not read back as they were written

	// Entries that had what nobody asked to keep, so that it was not copied.
	DroppedHardLinks
	DroppedACLs
	DroppedXattrs
	DroppedForks // resource forks and Finder info, which are extended attributes, too

	// Entries that are no directories and no regular files.
	OthersCopied  // made, replaced, or made as hard links; hard links of regular files, too
	OthersKept    // that were current
	OthersSkipped // left alone; regular files that a rule about what exists leaves out, too

	// What became of entries that are no directories.
	EntriesFailed // that failed or vanished
	CopiedFailed  // those of them that are counted as copied
	KeptFailed    // those of them that are counted as current
	UnseenFailed  // those of them that are not counted as seen

	counts
)

// Totals holds one value per [Count].
type Totals [counts]int64

// A Counter belongs to one worker, so that counting never makes workers wait
// for each other's cache lines.
type Counter struct {
	n [counts]atomic.Int64
	_ [64]byte
}

// Add adds n, which may be negative, to c.
func (t *Counter) Add(c Count, n int64) { t.n[c].Add(n) }

// Get returns the value of c.
func (t *Counter) Get(c Count) int64 { return t.n[c].Load() }

// Stats gathers the counters of a run. The zero value is ready to use.
type Stats struct {
	mu       sync.Mutex // guards counters
	counters []*Counter

	// Expected is what the whole source holds, as far as it is known.
	Expected Expected
}

// Counter returns a new counter whose values are part of s.
func (s *Stats) Counter() *Counter {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := new(Counter)
	s.counters = append(s.counters, c)
	return c
}

// Totals returns the sums of all counters. It may be called while they change.
func (s *Stats) Totals() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	var t Totals
	for _, c := range s.counters {
		for i := range t {
			t[i] += c.n[i].Load()
		}
	}
	return t
}

// Expected is filled by a walk that runs ahead of the workers.
type Expected struct {
	Files, Bytes atomic.Int64
	// Known is set when the walk has seen everything it can see: only then are
	// Files and Bytes totals rather than lower bounds.
	Known atomic.Bool
}

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

	RootsMade    // destinations of source directories that did not exist before; not counted in DirsMade
	DirsMade     // directories that did not exist before
	FilesMade    // files under new names
	LinksMade    // symbolic links under new names
	SpecialsMade // fifos, sockets and devices under new names
	HardLinked   // names made as hard links to entries that were copied under another name
	Replaced     // existing entries replaced
	FilesCopied  // files whose contents were copied
	BytesCopied  // bytes copied so far, including those of files in progress; holes count as copied

	BytesLeft // bytes not yet copied of files in progress

	FilesKept // files that were current
	BytesKept // their size, and that of files made as hard links
	AttrsSet  // entries that were current except for attributes

	FilesSkipped // files skipped because they are newer, or because of --existing or --ignore-existing
	BytesSkipped // their size, as far as it is known

	FilesDeleted // regular files that the source lacks, removed
	DirsDeleted
	LinksDeleted
	SpecialsDeleted

	Failed   // entries that could not be copied
	Vanished // source entries that were removed before they could be copied
	Unkeeps  // requested attributes that could not be set
	Private  // the part of Failed that the privacy protection of macOS may have caused

	Verified   // files that were read back and were equal
	Mismatched // files that were copied once more because they did not read back as they were written

	// Entries with data that was not copied because no option asked for it.
	DroppedHardLinks
	DroppedACLs
	DroppedXattrs
	DroppedForks // resource forks and Finder info, which are extended attributes, too

	// Entries that are neither directories nor regular files.
	OthersCopied  // made, replaced, or hard-linked; includes hard links of regular files
	OthersKept    // current
	OthersSkipped // skipped; includes regular files skipped by --existing or --ignore-existing

	// Entries that are not directories.
	EntriesFailed // failed or vanished
	CopiedFailed  // those also counted as copied
	KeptFailed    // those also counted as current
	UnseenFailed  // those not counted as seen

	counts
)

// Totals holds one value per [Count].
type Totals [counts]int64

// Decided returns the number of files that were compared with the destination, or copied.
func (t *Totals) Decided() int64 { return t[FilesCopied] + t[FilesKept] + t[FilesSkipped] }

// Deleted returns the number of removed entries of all types.
func (t *Totals) Deleted() int64 {
	return t[FilesDeleted] + t[DirsDeleted] + t[LinksDeleted] + t[SpecialsDeleted]
}

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

	// Expected is what the whole source holds, as far as that is known.
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

// Expected is computed by a walk that runs ahead of the workers.
type Expected struct {
	Files, Bytes atomic.Int64
	// Known is set when the walk has finished. Until then, Files and Bytes are lower
	// bounds.
	Known atomic.Bool
}

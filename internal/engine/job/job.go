// Package job holds what a run is to do, what its workers share, and what they know of the directories that
// they work in. It reports what becomes of the entries there.
package job

import (
	"io/fs"
	"time"

	"psync/internal/content"
	"psync/internal/engine/backup"
	"psync/internal/engine/place"
	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// Options say how to copy.
type Options struct {
	Threads int  // number of workers, at least 1, where the job does not say more
	Auto    bool // the run finds the number of workers by itself
	// AlwaysShare has workers share all that can be shared; see [walk.Pool]. It is for tests.
	AlwaysShare bool
	// Deliver, unless it is nil, decides what becomes of each claim; see [walk.Pool.DeliverBy]. It is for tests.
	Deliver func(waiting int) walk.Delivery
	DryRun  bool // decide and tell, but change nothing
	plan.Policy
	Keep metadata.Keep
	User vfs.User
	// SourceProfile and DestProfile are those of the systems that the two sides are on; nil: that of this one.
	SourceProfile, DestProfile *metadata.Profile

	HardLinks     bool // names of one entry become names of one entry
	FetchDataless bool // copy files whose contents the system has to fetch first

	source.Selection // of entries

	// ImpliedMode, unless it is 0, is that of new directories which only lead to what Files names; they, and those that
	// the destination has or has a link to, get no attributes of the source.
	ImpliedMode fs.FileMode

	OneFileSystem bool // do not descend into other file systems than that of the source
	Backup        backup.Options
	Alternatives  place.Alternatives
	TempDir       vfs.Dir // where files are written until they are complete; nil: where they will be
	Fsync         bool    // files are synced, and what was written is on the disk when the run ends
	Verify        bool    // what was written is read back, and compared with the source
	RemoveSource  bool    // remove files of the source once the destination has them

	// Streams is how many workers may copy, or compare, one file of at least Cutoff bytes
	// at a time; with StreamsFar, they do so only where one side is on a network file system.
	Streams    int
	StreamsFar bool
	Cutoff     int64

	Hashes  FileHashes      // of the files that the destination has in the end
	Content content.Options // how the bytes of files are copied

	Until time.Time // when nothing more is begun with; zero: never

	// OpenDirs limits the directories kept open for tasks not yet claimed,
	// on each side. Zero means 256.
	OpenDirs int
}

// A WatchedRoot is a directory that a run works beneath, with the means to look it up again.
type WatchedRoot struct {
	Label string // what it is called in messages
	ID    vfs.ID
	// IsFar says that the directory is on a network file system, whose server may make it another one on the same device.
	IsFar bool
	Stat  func() (vfs.Attr, error) // returns what its path leads to by now
}

// A Job is what a run needs. The caller closes the directories in it.
type Job struct {
	Options
	Sources []source.Tree
	// Dest is the destination's root. It is nil in a dry run whose destination does not exist.
	Dest      vfs.Dir
	DestLabel string // what Dest is called in messages
	DestIsNew bool   // nothing is in Dest yet
	DestDev   uint64 // the device that Dest would be on, where it is nil
	// Watched are directories of Sources and Dest. If the path of one leads elsewhere, the run ends.
	Watched []WatchedRoot
	// DestRules are those of the Selection as they are for Dest; nil: they are the same everywhere.
	DestRules source.Rules

	Workers  *walk.Size // nil: Threads, throughout
	Sink     report.Sink
	Stats    *report.Stats
	Activity *report.Activity // may be nil
	Process  tempname.Process // this one, in the names of temporaries

	Journal  *journal.Writer   // records the directories that are done; may be nil
	Progress *journal.Progress // what earlier runs have done; nil: nothing
}

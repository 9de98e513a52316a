// Package job holds what a run has to do, what its workers share, and what they know about the directories that they
// work in. It reports the outcome for the entries there.
package job

import (
	"io/fs"
	"time"

	"psync/internal/content"
	"psync/internal/engine/backup"
	"psync/internal/engine/peers"
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
	Threads int  // number of workers, at least 1; ignored if Job.Workers is set
	Auto    bool // the run adapts the number of workers
	// AlwaysShare makes workers share everything that can be shared; see [walk.Pool]. It is for tests.
	AlwaysShare bool
	// Deliver, unless nil, decides the outcome of each claim; see [walk.Pool.DeliverBy]. It is for tests.
	Deliver func(waiting int) walk.Delivery
	DryRun  bool // decide and report, but change nothing
	plan.Policy
	Keep metadata.Keep
	User vfs.User
	// SourceProfile and DestProfile describe the systems of the two sides; nil means this system.
	SourceProfile, DestProfile *metadata.Profile

	HardLinks     bool // names of one entry become names of one entry
	FetchDataless bool // also copy files whose contents the system must fetch first

	source.Selection // of entries

	// ImpliedMode, unless it is 0, is the mode of new directories that only lead to what Files names. These
	// directories, and existing ones or links to them in the destination, get no attributes of the source.
	ImpliedMode fs.FileMode

	OneFileSystem bool // do not descend into file systems other than the source's
	Backup        backup.Options
	Alternatives  Alternatives
	TempDir       vfs.Dir // where files are written until they are complete; nil: at their destination
	Partial       Partial
	Fsync         bool // files are synced, and everything written is on disk when the run ends
	Verify        bool // what was written is read back and compared with the source
	RemoveSource  bool // remove files of the source once the destination has them

	// Streams is how many workers may copy or compare one file of at least Cutoff bytes at the same time. With
	// StreamsFar, they do so only if one side is on a network file system.
	Streams    int
	StreamsFar bool
	Cutoff     int64

	Hashes  FileHashes      // of the files that the destination has at the end
	Content content.Options // how the bytes of files are copied

	// When to stop starting new work.
	Until       time.Time // zero: never
	MaxTransfer int64     // after so many bytes of contents; 0: never

	// OpenDirs limits the number of directories on each side that are kept open for tasks not yet claimed. Zero means
	// 256.
	OpenDirs int
}

// IsLimited reports whether the run may end before everything is done.
func (o *Options) IsLimited() bool { return !o.Until.IsZero() || o.MaxTransfer > 0 }

// A WatchedRoot is a directory that a run works beneath, with the means to look it up again.
type WatchedRoot struct {
	Label string // what it is called in messages
	ID    vfs.ID
	// IsFar says that the directory is on a network file system, whose server may change its inode number on the same
	// device.
	IsFar bool
	Stat  func() (vfs.Attr, error) // returns what its path leads to now
}

// A Job is what a run needs. The caller closes the directories in it.
type Job struct {
	Options
	Sources []source.Tree
	// Dest is the destination's root. It is nil in a dry run whose destination does not exist.
	Dest      vfs.Dir
	DestLabel string // what Dest is called in messages
	DestIsNew bool   // Dest is still empty
	DestDev   uint64 // the device that Dest would be on if it is nil
	// Watched are directories of Sources and Dest. If the path of one leads elsewhere, the run ends.
	Watched []WatchedRoot
	// DestRules replace the rules of the Selection for Dest; nil: the same rules apply everywhere.
	DestRules source.Rules

	Workers  *walk.Size // nil: Threads, throughout
	Sink     report.Sink
	Stats    *report.Stats
	Activity *report.Activity // may be nil
	// Process identifies this process in the names of temporaries, which few runs need; nil: nothing is known of it.
	Process func() tempname.Process

	// Peers copy the same trees on other hosts; nil: there are none. They need a Journal.
	Peers peers.Peers

	Journal  *journal.Writer   // records the directories that are done; may be nil
	Progress *journal.Progress // what earlier runs completed; nil: nothing
}

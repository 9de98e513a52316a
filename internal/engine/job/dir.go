package job

import (
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/peers"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Dir is a directory of a source and its counterpart in the destination, from its task until it is recorded as done.
// All workers that work in it, now or later, share one. Millions may wait for links, removals or deferred operations,
// so it is small, and what only the claim to process the directory needs is kept with the claim.
type Dir struct {
	Task Task
	Into string // what paths in the destination start with
	// Removal has the path of a directory that is removed as part of a tree, instead of the Task: the paths of all
	// directories of a deep tree would take memory that grows with the square of the depth.
	Removal   interface{ Path() string }
	Relisting *Relisting // of the source, if the destination may treat several names as one

	// The fields below describe the directories as they were when they were opened first.
	Attr     vfs.Attr    // of the source
	DestAttr vfs.Attr    // of the destination when it was inspected; zero if a dry run has none
	Found    fs.FileMode // of the destination before rights were added
	AtRoot   bool        // one side is the root of a volume, see KeepsVolumeFiles
	FarDest  bool        // the destination is on a network file system

	SrcVolume *volume.Volume
	DstVolume *volume.Volume // nil if a dry run has no such directory
	Route     *content.Route
	Chosen    metadata.Tolerance // by the user; see Tolerance

	Pending         *PendingDir // the destination, if work in it began before it was known to exist
	Had             *Listed     // the destination's earlier entries, if they were listed
	LiveTemporaries []string    // of processes that were still running when the destination was listed

	Inherited attrs.Inherited // by new entries of the destination

	// The fields below are those of the worker that has opened the directories, and of others that it shares entries
	// with; see Open.
	Src     vfs.Dir // nil while closed
	Dst     vfs.Dir // likewise, and in a dry run that would have made it
	Sharing Sharing // of the entries; nil if no other worker may share them
	others  *others // nil: none is open

	// The fields below change while entries are copied or removed, possibly by several workers at once.
	TimesChanged    atomic.Bool // the destination's own times have changed, or will
	HasFailures     atomic.Bool // something in it failed
	LeavesTemporary atomic.Bool // a temporary could not be removed from the destination
	Linked          Linked

	Subdirs  bool // directories below it are still to be copied; only the worker that has claimed it sets this
	Finished bool // its attributes are set, or the operations are deferred; no work on entries is left then

	Left        Account
	openedMode  atomic.Uint32 // of the destination since rights were added, or 0
	granularity atomic.Int64  // of modification times, as far as known

	mu      sync.Mutex    // guards others and, while entries are copied, the fields below; held while rights are added
	Lifted  *attrs.Lifted // from the destination, until it is finished; nil: not looked up yet
	Delayed []DelayedFile

	Desired *attrs.Desired // of a destination that is finished later, if computing it needs the source, which is closed by then
}

// Linked says that files in a directory have several names, which are kept.
type Linked struct {
	Any    atomic.Bool
	InDest atomic.Bool // some of them have several in the destination, if they are left to later work
}

// Fresh reports whether the destination holds only what this run made.
func (d *Dir) Fresh() bool { return d.Task.New }

// AwaitsOthers reports whether directories below d are still to be copied, or files in it to be renamed into place. It
// is called when no work on entries is left.
func AwaitsOthers(d *Dir) bool { return d.Subdirs || d.Delayed != nil }

// Key returns the name of d.
func (d *Dir) Key() Key { return Key{Source: d.Task.Source, Path: d.Task.Path} }

// InForce returns the rules in force; nil rules stand for those of the run.
func (d *Dir) InForce() source.InForce {
	if d.Task.Rules == nil {
		return source.InForce{}
	}
	return *d.Task.Rules
}

// Path returns the path of name below the destination.
func (d *Dir) Path(name string) string { return vfs.Join(d.Into, d.Position(name).Path()) }

// Position returns the position of the entry called name in d, or of d itself for "".
func (d *Dir) Position(name string) report.Position {
	return report.Position{Source: d.Task.Source, Dir: d.Task.Path, DirPath: d.Removal, Name: name}
}

// Volumes returns the volumes that entries of d are copied between.
func (d *Dir) Volumes() attrs.Volumes {
	return attrs.Volumes{Source: d.SrcVolume, Dest: d.DstVolume, Tolerance: d.Tolerance()}
}

// Tolerance returns how much times may differ.
func (d *Dir) Tolerance() metadata.Tolerance {
	t := d.Chosen
	t.Granularity = time.Duration(d.granularity.Load())
	return t
}

// RaiseGranularity sets the granularity of modification times to g, unless it is already coarser.
func (d *Dir) RaiseGranularity(g time.Duration) {
	for was := d.granularity.Load(); int64(g) > was; was = d.granularity.Load() {
		if d.granularity.CompareAndSwap(was, int64(g)) {
			return
		}
	}
}

// Mode returns the current mode of the destination.
func (d *Dir) Mode() fs.FileMode {
	if mode := d.openedMode.Load(); mode != 0 {
		return fs.FileMode(mode)
	}
	return d.DestAttr.Mode
}

// A Key names a directory of a source.
type Key = peers.Key

// An entryKey names an entry of a directory.
type entryKey struct {
	Key
	Name string
}

// NewDir returns the directory of a task, closed.
func (r *Run) NewDir(t Task) *Dir {
	made := t.New && t.Path != ""
	d := &Dir{
		Task: t, Into: r.Job.Sources[t.Source].Into,
		Chosen:    metadata.Tolerance{Window: r.Job.Policy.Window, WholeSeconds: r.Job.Policy.WholeSeconds},
		Inherited: attrs.Inherited{Made: made, DefaultACL: t.DefaultACL},
	}
	if t.Bundle != nil && r.Job.Delete.Max != nil {
		d.Left.Counted = new(Budget)
	}
	return d
}

// CopiesItself reports whether d is copied itself, rather than only entries of it.
func (r *Run) CopiesItself(d *Dir) bool {
	if r.IsImplied(d, "") {
		return false
	}
	return !r.HasOperands(d) && (d.Task.Path != "" || !r.Job.Sources[d.Task.Source].EntriesOnly)
}

// HasOperands reports whether d is the root of a source of which only some entries, the operands, are copied.
func (r *Run) HasOperands(d *Dir) bool {
	return d.Task.Path == "" && len(r.Job.Sources[d.Task.Source].Names) > 0
}

// StaysOnFileSystem reports whether --one-file-system keeps d from leading to other file systems. Those that the user named are
// entered.
func StaysOnFileSystem(r *Run, d *Dir) bool {
	return r.Job.OneFileSystem && !(r.HasOperands(d) && !r.Reporting.OnlyRemoves)
}

// IsImplied reports whether the directory called name in d, or d itself for "", only leads to what Files names and is
// not copied itself.
func (r *Run) IsImplied(d *Dir, name string) bool {
	return r.Job.ImpliedMode != 0 && r.Job.Files != nil && !r.Job.Files.Listed(d.Path(name))
}

// IsFar reports whether looking at an entry of d may take a round trip.
func (r *Run) IsFar(d *Dir) bool {
	return d.FarDest || d.SrcVolume != nil && d.SrcVolume.Network
}

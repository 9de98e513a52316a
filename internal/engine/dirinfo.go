package engine

import (
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/mirror"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A dirInfo is what is known of a pair of directories, open or not. All workers that are at work in it, or will
// be again, share one. Once the directories are inspected and swept, only the state changes.
type dirInfo struct {
	task      dirTask
	relisting *mirror.Relisting // of the source, where the destination may take several names for one
	into      string            // what the destination's paths start with
	lineage   *source.Lineage
	original  *backup.Original

	inspected

	had   *dirnames.Set // names of the destination's entries before, if they were listed
	inUse []string      // temporaries of running processes that the destination had then

	inherited attrs.Inherited // by new entries of the destination

	dirState
}

// inspected is what was found out about a pair of directories when it was opened.
type inspected struct {
	attr     vfs.Attr    // of the source
	destAttr vfs.Attr    // of the destination as it was inspected; zero where a dry run lacks it
	found    fs.FileMode // of the destination before it was opened up
	atRoot   bool        // one side is the root of a volume, see keepsVolumeFiles
	farDest  bool        // the destination is on a network file system

	srcVolume *volume.Volume
	dstVolume *volume.Volume // nil where a dry run lacks the directory
	route     *content.Route
	window    time.Duration // within which modification times are equal
}

// A dirState is what changes while entries of a pair of directories are copied or removed, perhaps by several
// workers at once.
type dirState struct {
	touched  atomic.Bool // the destination's own times have changed
	finished atomic.Bool // all that is to be done to its attributes is done or deferred
	trouble  atomic.Bool // something in it could not be done
	littered atomic.Bool // a temporary could not be removed from the destination
	waits    atomic.Bool // removals are postponed
	children atomic.Bool // directories below it are still to be copied

	granularity atomic.Int64  // of modification times, as far as it is known
	openedMode  atomic.Uint32 // of the destination since it was opened up, or else 0

	opening sync.Mutex    // held while the destination is opened up
	lifted  *attrs.Lifted // from the destination, until it is finished; nil: not looked up yet
}

// fresh reports whether nothing exists in the destination but what this run made.
func (d *dirInfo) fresh() bool { return d.task.New }

func (d *dirInfo) key() key { return key{d.task.Source, d.task.Path} }

// path returns the path of name below the destination.
func (d *dirInfo) path(name string) string { return vfs.Join(vfs.Join(d.into, d.task.Path), name) }

// position returns that of the entry called name in d, or that of d itself for "".
func (d *dirInfo) position(name string) report.Position {
	return report.Position{Source: d.task.Source, Dir: d.task.Path, Name: name}
}

// volumes returns those that entries of d are copied between.
func (d *dirInfo) volumes() attrs.Volumes {
	return attrs.Volumes{Source: d.srcVolume, Dest: d.dstVolume, Tolerance: d.tolerance()}
}

// tolerance returns how much times may differ.
func (d *dirInfo) tolerance() metadata.Tolerance {
	return metadata.Tolerance{Window: d.window, Granularity: time.Duration(d.granularity.Load())}
}

// raiseGranularity makes the granularity of modification times g, unless it is coarser.
func (d *dirInfo) raiseGranularity(g time.Duration) {
	for was := d.granularity.Load(); int64(g) > was; was = d.granularity.Load() {
		if d.granularity.CompareAndSwap(was, int64(g)) {
			return
		}
	}
}

// mode returns the mode that the destination has at the moment.
func (d *dirInfo) mode() fs.FileMode {
	if mode := d.openedMode.Load(); mode != 0 {
		return fs.FileMode(mode)
	}
	return d.destAttr.Mode
}

// A key names a directory of a source.
type key struct {
	source int
	path   string // as task.Path
}

// An entryKey names an entry of a directory.
type entryKey struct {
	key
	name string
}

// copiesItself reports whether d is copied itself, rather than only entries of it.
func (r *jobRun) copiesItself(d *jobDir) bool {
	return d.task.Path != "" || len(r.Sources[d.task.Source].Names) == 0
}

// infoOf returns what is known at first of the directory that a task is about.
func (w *jobWorker) infoOf(t dirTask) *dirInfo {
	made := t.New && t.Path != ""
	return &dirInfo{
		task: t, into: w.Sources[t.Source].Into,
		inherited: attrs.Inherited{Made: made, DefaultACL: t.DefaultACL},
	}
}

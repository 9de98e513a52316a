package engine

import (
	"context"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/report"
	"psync/internal/vfs"
)

// recordedEntries is what the journal learns of the entries of a directory, and what it has said of them.
type recordedEntries struct {
	entries  int64       // that took part
	empty    int64       // directories that have none, for they were empty and are done
	children []string    // directories that have records of their own
	passed   []vfs.Entry // the directories to go on with, where earlier runs have done all else; nil: they have not
	dest     *destDirs   // what earlier runs may have done in the destination; nil: it was not looked at
}

// A JournalError ends a run: what is done could not be recorded.
type JournalError struct{ Err error }

func (e *JournalError) Error() string { return "the journal cannot be written: " + e.Err.Error() }
func (e *JournalError) Unwrap() error { return e.Err }

// openJournal has the run end if the journal cannot be written, and the journal know how what was written is synced.
func (r *run) openJournal() {
	if r.job.Journal == nil {
		return
	}
	w := r.worker()
	r.job.Journal.Failed = func(err error) { r.job.Stop(&JournalError{err}) }
	r.job.Journal.SyncDest = w.job.SyncAll
}

// flushJournal ends recording.
func (r *run) flushJournal() error {
	if r.job.Journal == nil {
		return nil
	}
	if err := r.job.Journal.Flush(); err != nil {
		return &JournalError{err}
	}
	return nil
}

// rootID returns the identifier of the root of a source.
func (r *run) rootID(source int) (id journal.ID) {
	if r.job.Journal != nil {
		id = r.job.Journal.Key.Root(source)
	}
	return id
}

// identify returns the identifier of the directory called name in d. done is true if earlier runs have done it, with
// all that is below it, and the destination still has it.
func (w *worker) identify(d *directory, name string) (id journal.ID, done bool) {
	if w.job.Journal == nil {
		return id, false
	}
	id = w.job.Journal.Key.Child(d.Task.ID, name)
	if w.job.Progress.State(id) == journal.Done && w.isInDest(d, id, name) {
		w.job.Progress.AddPresent(1)
		w.recordChild(d, name)
		return id, true
	}
	return id, false
}

// recordChild notes that the directory called name in d is, or will be, recorded.
func (w *worker) recordChild(d *directory, name string) {
	if w.job.Journal != nil {
		d.recorded.children = append(d.recorded.children, name)
	}
}

// passThrough finds out whether earlier runs have done d, but not all that is below it. A directory that was below it
// and is gone, on either side, is reason to look at all of d again.
func (w *worker) passThrough(d *directory) {
	if w.job.Progress.State(d.Task.ID) != journal.OpenBelow || d.Task.Kind != job.Copy || d.Fresh() {
		return
	}
	dest, had := w.listDestDirs(d), w.job.Progress.Subdirs(d.Task.ID)
	if dest.found.Recorded < had.Recorded || dest.found.Empty < had.Empty {
		return
	}
	if entries, gone := source.LookUp(d.Src, w.job.Progress.Below(d.Task.ID)); len(gone) == 0 {
		w.job.Progress.AddPresent(int64(len(dest.done)) + had.Empty)
		d.recorded.passed = entries
	}
}

// countBytes counts the bytes of the files that w deals with in d until done is called.
func (w *worker) countBytes(d *directory) (done func()) {
	if w.job.Journal == nil {
		return func() {}
	}
	before := w.job.Count.Get(report.BytesSeen)
	return func() { d.Bytes.Add(w.job.Count.Get(report.BytesSeen) - before) }
}

// record records that w is done with the entries of d, unless the run was to end before that.
func (w *worker) record(ctx context.Context, d *directory) {
	if w.job.Journal == nil || w.job.DryRun || ctx.Err() != nil {
		return
	}
	if d.Task.Kind == job.Copy {
		w.job.Progress.AddPresent(1 + d.recorded.empty)
	}
	if d.Task.Kind == job.Copy && d.recorded.passed == nil {
		shared := d.Unsettled.Load() > 1
		w.job.Journal.Directory(&journal.Directory{
			ID:       d.Task.ID,
			Waits:    shared || d.Waits.Load(),
			HasLinks: d.Linked.Load(),
			Repeated: w.job.Progress.Recorded(d.Task.ID),
			Entries:  d.recorded.entries,
			Bytes:    d.Bytes.Load(),
			Failed:   d.Failures.Swap(0),
			Empty:    d.recorded.empty,
			Children: d.recorded.children,
		})
		if !shared {
			return // nobody else has anything left to do in it
		}
	}
	w.job.Settled(ctx, d.DirInfo)
}

package engine

import (
	"context"
	"sync/atomic"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/report"
	"psync/internal/vfs"
)

// recordedEntries holds what the journal records about the entries of a directory, and what it reported about them.
type recordedEntries struct {
	entries  int64         // that took part
	bytes    atomic.Int64  // of the files
	empty    int64         // subdirectories without records, because they were empty and are done
	children []string      // directories that have records of their own
	passed   []vfs.Entry   // the directories to continue with if earlier runs did everything else; nil if they did not
	dest     *dirs.Present // what earlier runs have done in the destination; nil if it was not looked at
}

// A JournalError ends a run: completed work could not be recorded.
type JournalError struct{ Err error }

func (e *JournalError) Error() string { return "the journal cannot be written: " + e.Err.Error() }
func (e *JournalError) Unwrap() error { return e.Err }

// openJournal makes a failure to write the journal end the run, and provides the journal with the means to sync the
// destination.
func (r *run) openJournal() {
	if r.job.Job.Journal == nil {
		return
	}
	w := r.worker()
	r.job.Job.Journal.Failed = func(err error) { r.job.Stop(&JournalError{err}) }
	r.job.Job.Journal.SyncDest = w.job.SyncAll
}

// flushJournal ends recording.
func (r *run) flushJournal() error {
	if r.job.Job.Journal == nil {
		return nil
	}
	if err := r.job.Job.Journal.Flush(); err != nil {
		return &JournalError{err}
	}
	return nil
}

// rootID returns the identifier of the root of a source.
func (r *run) rootID(source int) (id journal.ID) {
	if r.job.Job.Journal != nil {
		id = r.job.Job.Journal.Key.Root(source)
	}
	return id
}

// identify returns the identifier of the directory called name in c.dir. done is true if earlier runs completed it with
// everything below, and the destination still has it.
func identify(j *job.Worker, c *dirClaim, name string) (id journal.ID, done bool) {
	if j.Run.Job.Journal == nil {
		return id, false
	}
	id = j.Run.Job.Journal.Key.Child(c.dir.Task.ID, name)
	if j.Run.Job.Progress.State(id) == journal.Done && present(j, c).Has(j, c.dir, id, name) {
		j.Run.Job.Progress.AddPresent(1)
		recordChild(j, c, name)
		return id, true
	}
	return id, false
}

// recordChild notes that the directory called name in c.dir is, or will be, recorded.
func recordChild(j *job.Worker, c *dirClaim, name string) {
	if j.Run.Job.Journal != nil {
		c.recorded.children = append(c.recorded.children, name)
	}
}

// passThrough finds out whether earlier runs completed c.dir, but not everything below it. If a directory below it has
// disappeared on either side, all of c.dir is looked at again.
func passThrough(j *job.Worker, c *dirClaim) {
	d := c.dir
	if j.Run.Job.Progress.State(d.Task.ID) != journal.OpenBelow || d.Task.Kind != job.Copy || d.Fresh() {
		return
	}
	dest, had := present(j, c), j.Run.Job.Progress.Subdirs(d.Task.ID)
	if dest.Found.Recorded < had.Recorded || dest.Found.Empty < had.Empty {
		return
	}
	if entries, gone := source.LookUp(d.Src, j.Run.Job.Progress.Below(d.Task.ID)); len(gone) == 0 {
		j.Run.Job.Progress.AddPresent(int64(len(dest.Done)) + had.Empty)
		c.recorded.passed = entries
	}
}

// present returns what earlier runs have done in the destination of c.dir.
func present(j *job.Worker, c *dirClaim) *dirs.Present {
	if c.recorded.dest == nil {
		c.recorded.dest = dirs.FindPresent(j, c.dir)
	}
	return c.recorded.dest
}

// countBytes counts the bytes of the files that a worker processes in c.dir until done is called.
func countBytes(j *job.Worker, c *dirClaim) (done func()) {
	if j.Run.Job.Journal == nil {
		return func() {}
	}
	before := j.Count.Get(report.BytesSeen)
	return func() { c.recorded.bytes.Add(j.Count.Get(report.BytesSeen) - before) }
}

// recordsDirs reports whether the journal records which directories are done.
func (r *run) recordsDirs() bool { return r.job.Job.Journal != nil && !r.job.Job.DryRun }

// resultOf returns the result of the task of c.dir, which is over.
func (r *run) resultOf(ctx context.Context, c *dirClaim) result {
	d := c.dir
	res := resultAt(ctx)
	res.dir = d
	if r.recordsDirs() && d.Task.Kind == job.Copy && !res.left && !d.Task.Bundle.StaysWhole() {
		r.job.Job.Progress.AddPresent(1 + c.recorded.empty)
		if c.recorded.passed == nil {
			removals, unremoved := d.Left.Counted.Counts()
			res.record = &journal.Directory{
				ID:       d.Task.ID,
				HasLinks: d.Linked.Any.Load(),
				Repeated: r.job.Job.Progress.Recorded(d.Task.ID) || d.Task.Bundle.IsRepeated(),
				Entries:  c.recorded.entries,
				Bytes:    c.recorded.bytes.Load(),
				Empty:    c.recorded.empty,
				Children: c.recorded.children,

				Unlinked: d.Linked.Any.Load() && d.Task.Bundle.LeavesLinks(), DestLinks: d.Linked.InDest.Load(),
				Unremoved: unremoved, Removals: removals,
			}
		}
	}
	return res
}

// record records in the journal what it means that a task in d is done: its record, or that none is left.
func (r *run) record(d *job.Dir, record *journal.Directory) {
	waits := true
	if record != nil {
		waits = d.Left.HasOtherTasks()
		record.Waits, record.Failed = waits, d.Left.Failures.Swap(0)
		r.job.Job.Journal.Directory(record)
	}
	if !d.Left.EndTask() {
		return
	}
	failed := d.Left.Failures.Swap(0)
	switch {
	case d.Task.Kind == job.Clear: // the journal waits for the directory that has deferred the removals
		d.Left.Held()[0].Left.Failures.Add(failed)
	case d.Task.Bundle.StaysWhole():
		if failed > 0 {
			r.job.Job.Journal.Completed(journal.Completion{ID: d.Task.ID, Failed: failed})
		}
		if d.Task.Bundle.SetsAttrs() {
			r.job.Job.Journal.Linked(journal.Linked{ID: d.Task.ID})
		}
		if d.Task.Bundle.RemovesRest() {
			r.job.Job.Journal.Removed(journal.Removed{ID: d.Task.ID})
		}
	case waits:
		r.job.Job.Journal.Completed(journal.Completion{ID: d.Task.ID, Failed: failed})
	}
	for _, held := range d.Left.Held() {
		r.record(held, nil)
	}
}

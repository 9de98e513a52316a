// Package entry copies or compares entries of a directory that are not directories themselves: it looks at both
// sides, lets plan decide, and reports the result.
//
// The caller visits the directories. It calls [Worker.CopyEntry] for each entry that takes part, and then
// [Worker.LinkAwaited] for the names that become hard links to what other workers copied.
package entry

import (
	"context"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An item is an entry of the source, other than a directory, with what to do with it.
type item struct {
	name   string
	facts  *vfs.Facts // what the listing said; nil: nothing
	step   plan.Action
	there  vfs.Attr     // what the destination has
	before plan.Action  // of an attempt that may have left some of it, or 0
	part   string       // the temporary name of what an attempt has left of it when the connection was lost, or ""
	only   *vfs.Premise // what that must be when it is replaced; nil: not looked up, or irrelevant
	diff   report.Diff

	basis *report.Basis // that other trees have for it, if that is reported; nil: none

	group    *linkGroup   // that it leads, or nil
	awaits   *AwaitedLink // set if it becomes a link when that is possible
	alone    bool         // it is copied even if it has other names
	placed   bool         // the destination now has it
	stays    bool         // the destination had it before
	partial  bool         // the source changed while it was copied
	deferred bool         // it will be looked at again
	flawed   bool         // an attribute could not be read or set, which was reported
	resumes  bool         // it was dealt with before, unless its names were more
	foreign  bool         // the existing entry has names of another entry, or may be open to others
}

// CopyEntry copies an entry that is not a directory. If the entry will become a hard link to what another worker is
// about to copy, CopyEntry returns the link.
func (w *Worker) CopyEntry(ctx context.Context, d *job.Dir, e vfs.Entry) *AwaitedLink {
	before := resultsOf(w.job)
	l := w.copyEntry(ctx, d, e)
	countFailed(w.job, before)
	return l
}

func (w *Worker) copyEntry(ctx context.Context, d *job.Dir, e vfs.Entry) *AwaitedLink {
	links := d.Task.Bundle.LinksEntries()
	if d.Task.Kind == job.Copy {
		if !links {
			w.job.Count.Add(seen(e.Type), 1)
		}
	} else if !w.job.Run.IsDeferred(d, e.Name) {
		return nil // nothing is left to do
	}
	it := &w.item
	*it = item{name: e.Name, facts: e.Facts, there: vfs.Attr{Mode: plan.Absent}}
	if w.job.Run.Job.Policy.Copies(e.Type) {
		var err error
		if it.there, err = w.job.Lookup(d, e.Name); err != nil {
			w.job.Fail(d, pairs.Dest, e.Name, err)
			return nil
		}
	}
	if it.there.Mode.Type() != e.Type {
		it.diff = report.DiffNew
	}
	it.step = w.job.Run.Job.Policy.Entry(e.Type, it.there.Mode)
	if links && wasDealtWith(w.job, d, it, e.Type) {
		return nil
	}
	switch it.step {
	case plan.Skip:
		countOther(w.job, d, report.OthersSkipped)
		w.job.Run.Job.Sink.Event(w.job.Run.Event(d, pairs.Source, report.Event{Kind: report.Skip, Name: e.Name, Type: e.Type}))
	case plan.Leave:
		why := report.InDest
		if it.there.Mode == plan.Absent {
			why = report.NotInDest
		}
		if e.Type == 0 {
			omitFile(w.job, d, it, max(0, it.there.Size), why) // the source is not looked at, and usually has the same size
		} else {
			omitOther(w.job, d, it, why)
		}
	default:
		w.put(ctx, d, e.Type, it)
	}
	return it.awaits
}

// put copies an entry with the method for its type.
func (w *Worker) put(ctx context.Context, d *job.Dir, t fs.FileMode, it *item) {
	switch t {
	case 0:
		w.file(ctx, d, it)
	case fs.ModeSymlink:
		w.symlink(ctx, d, it)
	default:
		w.special(ctx, d, t, it)
	}
	w.leave(d, it)
}

func seen(t fs.FileMode) report.Count {
	switch t {
	case 0:
		return report.FilesSeen
	case fs.ModeSymlink:
		return report.LinksSeen
	}
	return report.SpecialsSeen
}

package entry

import (
	"context"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A delayedFile is a file of a run with DelayUpdates that is complete except for its name, which it gets at the end of
// the run.
type delayedFile struct {
	name, temp string
	step       plan.Action
	only       *vfs.Premise
	size       int64
}

// delays reports whether an entry of d is put in place at the end of the run. Entries that others wait for are not:
// names of one file are linked to the first of them, and the entries of a directory make way at once.
func delays(j *job.Worker, d *job.Dir, it *item) bool {
	return j.Run.Policy.DelayUpdates && it.group == nil && it.step != plan.ReplaceDir && d.Task.Kind == job.Copy
}

// delay leaves it to PutDelayedInPlace to give the file called temp its name.
func (w *Worker) delay(d *job.Dir, it *item, temp string, size int64) {
	d.Children.Store(true)
	d.Delayed.Store(true)
	w.shared.delayMu.Lock()
	defer w.shared.delayMu.Unlock()
	if w.shared.delayed == nil {
		w.shared.delayed = make(map[*job.DirInfo][]delayedFile)
	}
	if w.shared.delayed[d.DirInfo] == nil {
		d.Task.Dirs.Retain()
		d.Remaining.Add(1)
	}
	name := strings.Clone(it.name) // otherwise the name would keep the whole listing in memory
	w.shared.delayed[d.DirInfo] = append(w.shared.delayed[d.DirInfo], delayedFile{name, temp, it.step, mustStillBe(w.job, d, it), size})
}

// DelayedDirs returns the directories in which files were delayed.
func (s *Shared) DelayedDirs() (dirs []*job.DirInfo) {
	for d := range s.delayed {
		dirs = append(dirs, d)
	}
	return dirs
}

// PutDelayedInPlace gives the delayed files of a directory their names, or removes them once ctx has ended.
func (w *Worker) PutDelayedInPlace(ctx context.Context, info *job.DirInfo) {
	dirs := info.Task.Dirs
	defer dirs.Release()
	p, side, err := dirs.Use()
	if err != nil {
		for _, f := range w.shared.delayed[info] {
			failUncounted(w.job, info.Open(pairs.Pair{}), side, f.name, err)
			w.job.Count.Add(report.CopiedFailed, 1)
		}
		return
	}
	defer dirs.Done()
	d := info.Open(p)
	defer d.CloseOthers()
	defer w.job.Run.RevokeAccess(d)
	for _, f := range w.shared.delayed[info] {
		w.putInPlace(ctx, d, f)
	}
}

// putInPlace gives a delayed file its name, or removes it once ctx has ended.
func (w *Worker) putInPlace(ctx context.Context, d *job.Dir, f delayedFile) {
	it := &w.item
	*it = item{name: f.name, step: f.step, only: f.only}
	e := begin(w.job, d, it, nil)
	var out place.Outcome
	var err error
	discards := ctx.Err() != nil
	if discards {
		err = place.Discard(w.job, d, f.temp)
	} else {
		out, err = place.PutInPlace(ctx, w.job, d, e, f.temp)
	}
	reportOutcome(w.job, d, it, &out)
	if err != nil {
		failUncounted(w.job, d, pairs.Dest, f.name, err)
	}
	if err != nil || discards {
		made := report.Replaced
		if f.step == plan.Create {
			made = report.FilesMade
		}
		w.job.Count.Add(made, -1)
		w.job.Count.Add(report.FilesCopied, -1)
		w.job.Count.Add(report.BytesCopied, -f.size)
	}
}

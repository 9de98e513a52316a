package entry

import (
	"context"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/report"
)

// delays reports whether an entry of d is put in place at the end of the run. Entries that others wait for are not:
// names of one file are linked to the first of them, and the entries of a directory make way at once.
func delays(j *job.Worker, d *job.Dir, it *item) bool {
	return j.Run.Job.Policy.DelayUpdates && it.group == nil && it.step != plan.ReplaceDir && d.Task.Kind == job.Copy
}

// delay leaves it to PutDelayedInPlace to give the file called temp its name.
func (w *Worker) delay(d *job.Dir, it *item, temp string, size int64) {
	name := strings.Clone(it.name) // otherwise the name would keep the whole listing in memory
	d.Delay(job.DelayedFile{Name: name, Temp: temp, Step: it.step, Only: mustStillBe(w.job, d, it), Size: size})
}

// PutDelayedInPlace gives the delayed files of a directory their names, or removes them once ctx has ended.
func (w *Worker) PutDelayedInPlace(ctx context.Context, d *job.Dir) {
	dirs := d.Task.Dirs
	defer dirs.Release()
	p, side, err := dirs.Use()
	if err != nil {
		for _, f := range d.Delayed {
			failUncounted(w.job, d, side, f.Name, err)
			w.job.Count.Add(report.CopiedFailed, 1)
		}
		return
	}
	defer dirs.Done()
	d.Open(p)
	defer d.Close()
	defer w.job.Run.RevokeAccess(d)
	for _, f := range d.Delayed {
		w.putInPlace(ctx, d, f)
	}
}

// putInPlace gives a delayed file its name, or removes it once ctx has ended.
func (w *Worker) putInPlace(ctx context.Context, d *job.Dir, f job.DelayedFile) {
	it := &w.item
	*it = item{name: f.Name, step: f.Step, only: f.Only}
	e := begin(w.job, d, it, nil)
	var out place.Outcome
	var err error
	discards := ctx.Err() != nil
	if discards {
		err = place.Discard(w.job, d, f.Temp)
	} else {
		out, err = place.PutInPlace(ctx, w.job, d, e, f.Temp)
	}
	reportOutcome(w.job, d, it, &out)
	if err != nil {
		failUncounted(w.job, d, pairs.Dest, f.Name, err)
	}
	if err != nil || discards {
		w.job.Count.Add(made(f.Step, 0), -1)
		w.job.Count.Add(report.FilesCopied, -1)
		w.job.Count.Add(report.BytesCopied, -f.Size)
	}
}

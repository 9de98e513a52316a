package entry

import (
	"psync/internal/engine/job"
	"psync/internal/report"
)

// results count the entries that a worker has processed, by outcome.
type results struct{ copied, kept, failed int64 }

func (w *Worker) results() results {
	c := w.job.Count
	return results{
		copied: c.Get(report.FilesCopied) + c.Get(report.OthersCopied),
		kept:   c.Get(report.FilesKept) + c.Get(report.OthersKept),
		failed: c.Get(report.Failed) + c.Get(report.Vanished),
	}
}

// countFailed counts the entry that the worker has processed since before if it failed.
func (w *Worker) countFailed(before results) {
	now := w.results()
	if now.failed == before.failed {
		return
	}
	w.job.Count.Add(report.EntriesFailed, 1)
	w.job.Count.Add(report.CopiedFailed, now.copied-before.copied)
	w.job.Count.Add(report.KeptFailed, now.kept-before.kept)
}

// countOther counts an entry as c. When entries are looked at for the second time, it was already counted.
func countOther(j *job.Worker, d *job.Dir, c report.Count) {
	if d.Task.Kind == job.Copy {
		j.Count.Add(c, 1)
	}
}

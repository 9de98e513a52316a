package entry

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// results count the entries that a worker has processed, by outcome.
type results struct{ copied, kept, failed int64 }

func resultsOf(j *job.Worker) results {
	c := j.Count
	return results{
		copied: c.Get(report.FilesCopied) + c.Get(report.OthersCopied),
		kept:   c.Get(report.FilesKept) + c.Get(report.OthersKept),
		failed: c.Get(report.Failed) + c.Get(report.Vanished),
	}
}

// countFailed counts the entry that the worker has processed since before if it failed.
func countFailed(j *job.Worker, before results) {
	now := resultsOf(j)
	if now.failed == before.failed {
		return
	}
	j.Count.Add(report.EntriesFailed, 1)
	j.Count.Add(report.CopiedFailed, now.copied-before.copied)
	j.Count.Add(report.KeptFailed, now.kept-before.kept)
}

// failUncounted reports that the entry called name, of which nothing else is counted, failed.
func failUncounted(j *job.Worker, d *job.Dir, side pairs.Side, name string, err error) {
	before := resultsOf(j)
	j.Fail(d, side, name, err)
	countFailed(j, before)
}

// made returns what counts the entries of a type that a step makes.
func made(step plan.Action, t fs.FileMode) report.Count {
	switch {
	case step != plan.Create:
		return report.Replaced
	case t == 0:
		return report.FilesMade
	case t == fs.ModeSymlink:
		return report.LinksMade
	}
	return report.SpecialsMade
}

// copied returns the kind of event that a copy of a file is in a step.
func copied(step plan.Action) report.Kind {
	if step == plan.Create {
		return report.Copy
	}
	return report.Replace
}

// countOther counts an entry as c. When entries are looked at for the second time, it was already counted.
func countOther(j *job.Worker, d *job.Dir, c report.Count) {
	if d.Task.Kind == job.Copy {
		j.Count.Add(c, 1)
	}
}

// countSkipped counts a file that is left alone, and its size in bytes.
func countSkipped(j *job.Worker, d *job.Dir, size int64) {
	if d.Task.Kind == job.Copy {
		j.Count.Add(report.FilesSkipped, 1)
		j.Count.Add(report.BytesSkipped, size)
	}
}

// omitFile counts and reports a file that is left alone, and its size in bytes.
func omitFile(j *job.Worker, d *job.Dir, it *item, size int64, why report.Reason) {
	countSkipped(j, d, size)
	reportOmitted(j, d, it, why)
}

// omitOther counts and reports an entry of another type that is left alone, or a file that takes no part.
func omitOther(j *job.Worker, d *job.Dir, it *item, why report.Reason) {
	countOther(j, d, report.OthersSkipped)
	reportOmitted(j, d, it, why)
}

func reportOmitted(j *job.Worker, d *job.Dir, it *item, why report.Reason) {
	if d.Task.Kind == job.Copy && why != 0 {
		j.Emit(d, it.facts, report.Event{Kind: report.Omit, Name: it.name, Why: why})
	}
}

// reasonOf returns the reason for a verdict by which a file is left alone, or 0.
func reasonOf(v plan.Verdict) report.Reason {
	switch v {
	case plan.OmitLarge:
		return report.OverMax
	case plan.OmitSmall:
		return report.UnderMin
	case plan.LeaveNewer:
		return report.OlderThan
	}
	return 0
}

// skipsNewer decides again about a file with the attributes attr whose counterpart changed while it was copied. If
// the counterpart is now newer, and must be left alone, skipsNewer counts the file as skipped and returns true.
func skipsNewer(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) bool {
	there, err := d.Dst.Statx(it.name, vfs.StatxFresh)
	if err != nil || policyIn(j, d, it).File(attr, there, d.Tolerance()) != plan.LeaveNewer {
		return false
	}
	if d.Task.Kind == job.Copy {
		j.Count.Add(report.BytesSeen, -attr.Size)
	}
	omitFile(j, d, it, attr.Size, report.OlderThan)
	return true
}

// policyIn returns the policy in d, which another host may have copied before.
func policyIn(j *job.Worker, d *job.Dir, it *item) plan.Policy {
	p := j.Run.Job.Policy
	p.Resumes = p.Resumes || it.resumes || d.Task.Bundle.IsRepeated()
	return p
}

// reportCurrent reports that nothing of an entry differs. e has its name, and what else the listing of a step shows.
func reportCurrent(j *job.Worker, d *job.Dir, it *item, e report.Event) {
	e.Kind = report.Current
	j.Emit(d, it.facts, e)
}

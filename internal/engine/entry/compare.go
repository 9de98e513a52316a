package entry

import (
	"context"
	"errors"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var errChangedCompared = errors.New("changed while it was compared")

// compare reports whether nothing of a file needs to be copied; in that case it has set the missing attributes.
// Otherwise it completes the item's differences.
func (w *Worker) compare(ctx context.Context, d *job.Dir, it *item) (done bool) {
	if !policyIn(w.job, d, it).NeedsSource(0, it.there.Mode, false) {
		return false
	}
	attr, err := w.job.Stat(d, it.listed())
	if err == nil && !attr.Mode.IsRegular() {
		err = place.ErrNotRegular
	}
	if err != nil {
		w.job.Fail(d, pairs.Source, it.name, err)
		return true
	}
	tolerance := d.Tolerance()
	verdict := policyIn(w.job, d, it).File(attr, it.there, tolerance)
	switch verdict {
	case plan.OmitLarge, plan.OmitSmall, plan.OmitTime:
		omitOther(w.job, d, it, reasonOf(verdict))
		return true
	case plan.LeaveNewer, plan.LeaveLonger:
		omitFile(w.job, d, it, attr.Size, reasonOf(verdict))
		return true
	case plan.ComparePrefix:
		if !isPrefix(ctx, w.job, d, it, attr) {
			omitFile(w.job, d, it, attr.Size, report.OlderThan)
			return true
		}
		verdict = plan.Transfer
	}
	if w.joins(ctx, d, it, attr) {
		return true
	}
	if w.job.Run.Job.Alternatives.Removes(w.job.Run.Job.Policy.Sync, it.step) && removeRedundant(ctx, w.job, d, it) {
		return true
	}
	if it.diff&report.DiffNew != 0 {
		if w.job.Run.Job.Compare {
			reportDifferent(w.job, d, it, attr.Size)
		}
		return w.job.Run.Job.Compare
	}
	return w.compareExisting(ctx, d, it, attr, verdict, tolerance)
}

// compareExisting is compare for a file that the destination has. The verdict is the policy's, under the given
// tolerance.
func (w *Worker) compareExisting(ctx context.Context, d *job.Dir, it *item, attr vfs.Attr, verdict plan.Verdict, tolerance metadata.Tolerance) (done bool) {
	if verdict == plan.Transfer && attr.Size == it.there.Size && w.job.LearnGranularity(d, tolerance, attr.Mtime, it.there.Mtime) {
		verdict = policyIn(w.job, d, it).File(attr, it.there, d.Tolerance()) // the destination may only have rounded the time
	}
	switch verdict {
	case plan.Transfer:
		if w.job.Run.Job.Policy.Checksum && !w.job.Run.Job.Compare {
			it.diff |= report.DiffContents // as rsync lists files of different sizes
		}
	case plan.CompareContents:
		same, side, err := sameContents(ctx, w.job, d, it.name, attr, attr.Size)
		if err != nil {
			w.job.Fail(d, side, it.name, err)
			return true
		}
		if !same && w.job.Run.Job.Policy.Append {
			countSkipped(w.job, d, attr.Size) // its size is the same
			return true
		}
		if !same {
			it.diff |= report.DiffContents
			break
		}
		fallthrough
	case plan.Current:
		if w.mayStay(it, attr) && w.current(ctx, d, it, attr) {
			return true
		}
	}
	if w.job.Run.Job.Compare {
		o := desired(w.job, d, it, attr)
		it.diff |= differences(w.job, d, it, o)
		o.Close()
		reportDifferent(w.job, d, it, attr.Size)
		return true
	}
	return false
}

// reportDifferent reports and counts, in a comparison, a file that a copy would copy.
func reportDifferent(j *job.Worker, d *job.Dir, it *item, size int64) {
	j.Count.Add(report.BytesSeen, size)
	j.Count.Add(report.FilesCopied, 1)
	j.Emit(d, it.facts, report.Event{Kind: copied(it.step), Name: it.name, Size: size, Diff: it.diff})
}

// current sets the missing attributes of a file whose contents are current. It returns false if the file must be
// copied to get them.
func (w *Worker) current(ctx context.Context, d *job.Dir, it *item, attr vfs.Attr) bool {
	err := adjust(ctx, w.job, d, report.Event{Name: it.name}, attr, it)
	if err == errGrants {
		it.foreign = true
		return false
	}
	w.job.Count.Add(report.BytesSeen, attr.Size)
	w.job.Count.Add(report.FilesKept, 1)
	w.job.Count.Add(report.BytesKept, attr.Size)
	it.placed, it.stays = true, true
	if parts := w.job.Run.Job.Partial.Name; parts != "" && !w.job.Run.Job.DryRun && (d.Had == nil || d.Had.Has(parts)) {
		place.RemoveParts(w.job, d, it.name, attr.Size)
	}
	if err != nil {
		w.job.Fail(d, pairs.Dest, it.name, err)
		return true
	}
	hashCurrent(ctx, w.job, d, it, attr)
	w.removeSource(d, it, attr)
	return true
}

// adjust sets the attributes in which an entry of the destination differs from the source, and reports that as e. If
// it is a file that must not get them in its present state, adjust does nothing and returns errGrants.
func adjust(ctx context.Context, j *job.Worker, d *job.Dir, e report.Event, attr vfs.Attr, it *item) error {
	if it.diff == 0 && metadata.UpToDate(j.Run.Job.Keep, &attr, &it.there) {
		reportCurrent(j, d, it, e)
		return nil
	}
	o := desired(j, d, it, attr)
	defer o.Close()
	if j.Run.Job.Keep.Mtime {
		j.LearnGranularity(d, d.Tolerance(), attr.Mtime, it.there.Mtime)
	}
	o.Want.Mode = plan.CurrentMode(j.Run.Job.Keep, o.Want.Mode, it.there.Mode)
	v := d.Volumes()
	u, notes := j.Attrs.Observe(v, d.Dst, d.Had.Existing(it.name, it.there), it.there)
	defer u.Close()
	j.ReportAttrs(d, it.name, &it.flawed, notes)
	j.Attrs.PlanUpdate(v, &u, o)
	if u.IsEmpty() && it.diff == 0 {
		reportCurrent(j, d, it, e)
		return nil
	}
	if !j.Run.Job.Compare && u.GrantsPrivileges() && !mayGrantPrivileges(ctx, j, d, it, attr, o) {
		return errGrants
	}
	e.Kind, e.Diff = report.SetAttr, it.diff|j.Attrs.Diff(&u)
	if attr.Mode.IsRegular() {
		e.Size = attr.Size
	}
	if j.Run.Job.DryRun {
		j.ReportAttrs(d, it.name, &it.flawed, j.Attrs.Foresee(v, &u))
	} else {
		j.Run.Listings.ChangesInPlace(it.there)
		r, err := j.Attrs.Apply(v, &u)
		j.Run.DeferLocks(d, it.name, r.Locks)
		j.ReportAttrs(d, it.name, &it.flawed, r.Notes)
		if err != nil {
			return err
		}
		e.Diff = it.diff | r.Diff
	}
	if e.Diff == 0 {
		reportCurrent(j, d, it, e)
		return nil // only attributes that cannot be kept were reported
	}
	j.Count.Add(report.AttrsSet, 1)
	j.Emit(d, it.facts, e)
	return nil
}

// errGrants says that a file must not get set-id bits or capabilities, because its contents were not compared or
// another user may change them.
var errGrants = errors.New("its contents may be those of another user")

// mayGrantPrivileges reports whether a file of the destination that is current by size and time may get the set-id
// bits or capabilities of o in place.
func mayGrantPrivileges(ctx context.Context, j *job.Worker, d *job.Dir, it *item, attr vfs.Attr, o *attrs.Desired) bool {
	if plan.Grant(j.Run.Job.Keep, &o.Want, it.there, d.DstVolume.KeepsAttrs) == plan.Transfer {
		return false
	}
	same, _, err := sameContents(ctx, j, d, it.name, attr, attr.Size)
	return err == nil && same
}

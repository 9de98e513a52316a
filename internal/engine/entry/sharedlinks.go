package entry

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Hosts that share a job first copy what has one name. Everything else waits until all names are known. Then each host copies
// and links the entries that it has, whatever directories these are in.

// leavesLink reports whether an entry is left until names are linked.
func leavesLink(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) bool {
	// What the destination has may stay as the copy of one entry only, which may be in a directory of another host.
	mayStay := it.there.Nlink > 1 && !it.there.Mode.IsDir() && (policyIn(j, d, it).Resumes || j.Run.Job.Policy.Sync)
	if attr.Nlink < 2 && !mayStay {
		return false
	}
	d.Linked.Any.Store(true)
	if it.there.Nlink > 1 && !it.there.Mode.IsDir() {
		d.Linked.InDest.Store(true)
	}
	return true
}

// wasDealtWith reports whether nothing is left to do here for an entry of a directory whose names are linked: others have it, or
// will, or it was evidently not left. An entry that has one name now may have had more.
func wasDealtWith(j *job.Worker, d *job.Dir, it *item, t fs.FileMode) bool {
	attr, err := j.Stat(d, it.listed())
	switch in := d.Task.Bundle.In; {
	case in != nil && !in(attr.ID()): // after an error, one of all
		return true
	case err != nil:
		return false // which is reported
	case it.step == plan.Skip, it.step == plan.Leave:
		return true
	case t != 0 || !attr.Mode.IsRegular():
		it.resumes = attr.Nlink < 2
		return false
	}
	it.resumes = attr.Nlink < 2
	switch policyIn(j, d, it).File(attr, it.there, d.Tolerance()) {
	case plan.OmitLarge, plan.OmitSmall, plan.OmitTime, plan.LeaveNewer, plan.LeaveLonger:
		return true
	case plan.Current:
		return attr.Nlink < 2 && it.there.Nlink < 2 && metadata.UpToDate(j.Run.Job.Keep, &attr, &it.there)
	}
	return false
}

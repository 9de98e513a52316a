package dirs

import (
	"path"
	"slices"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// reportOpened counts and reports d once it is known that both sides can be used.
func reportOpened(j *job.Worker, d *job.Dir) {
	if j.Run.CopiesItself(d) && d.Task.Kind == job.Copy {
		j.Count.Add(report.DirsSeen, 1)
	}
	ReportMade(j, d)
}

// ReportMade reports that the destination of d was made, if that was not known before.
func ReportMade(j *job.Worker, d *job.Dir) {
	if in := d.Task.MadeIn; in != nil {
		in.Pending.Made() // reports the parent first
		Made(j, j.Run.NewDir(in.Task), nil, path.Base(d.Task.Path))
		d.Task.MadeIn = nil
	}
}

// Made reports that the destination of d has a new directory, called name. facts is what the listing of the source said
// of it, or nil.
func Made(j *job.Worker, d *job.Dir, facts *vfs.Facts, name string) {
	j.Count.Add(report.DirsMade, 1)
	j.Emit(d, facts, report.Event{Kind: report.Mkdir, Name: name, IsDir: true, Diff: report.DiffNew})
}

// CountNewRoot counts the destination if it is new and the counterpart of a source's directory.
func CountNewRoot(j *job.Worker) {
	isRoot := func(s source.Tree) bool { return s.Err == nil && s.Into == "" && len(s.Names) == 0 }
	if j.Run.Job.DestIsNew && slices.ContainsFunc(j.Run.Job.Sources, isRoot) {
		j.Count.Add(report.RootsMade, 1)
	}
}

// FailToEnter reports that one side of d cannot be used. If its destination could not be made, its parent reports
// that, or nothing is reported if the parent could not be made either.
func FailToEnter(j *job.Worker, d *job.Dir, side pairs.Side, err error) {
	in := d.Task.MadeIn
	if in != nil {
		d.Left.Failures.Add(1)
	}
	switch {
	case in != nil && !in.Pending.Made(): // already reported
	case in != nil && side == pairs.Dest:
		in.HasFailures.Store(true)
		in.Left.Failures.Add(1)         // before the run may stop
		parent := j.Run.NewDir(in.Task) // closed, while another worker may be about to close in
		parent.DestAttr = in.DestAttr
		j.FailDir(parent, side, path.Base(d.Task.Path), j.Collision(parent, err))
	default:
		j.FailDir(d, side, "", err)
	}
}

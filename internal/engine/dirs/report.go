package dirs

import (
	"cmp"
	"path"
	"slices"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// reportOpened counts and reports d once it is known that both sides can be used.
func reportOpened(j *job.Worker, d *job.Dir) {
	if j.Run.CopiesItself(d) && d.Task.Kind == job.Copy {
		j.Count.Add(report.DirsSeen, 1)
	}
	ReportMade(j, d)
	reportRoot(j, d)
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
	j.Emit(d, facts, report.Event{Kind: report.Mkdir, Name: name, IsDir: true, Diff: report.DiffNew, Basis: basis(j, d, facts, name)})
}

// reportRoot reports that the destination itself, that of d, is made, if that is wanted.
func reportRoot(j *job.Worker, d *job.Dir) {
	if j.Run.Reporting.Bases && j.Run.Job.DestIsNew && d.Path("") == "" && d.Task.Kind == job.Copy && j.Run.CopiesItself(d) &&
		!(j.Run.Job.Policy.Existing && j.Run.Job.DryRun) {
		j.Emit(d, nil, report.Event{Kind: report.Mkdir, IsDir: true, Diff: report.DiffNew, Basis: basis(j, d, nil, "")})
	}
}

// basis returns what other trees have of the directory called name in d, or of d itself for "", if that is reported.
func basis(j *job.Worker, d *job.Dir, facts *vfs.Facts, name string) *report.Basis {
	if !j.Run.Reporting.Bases || d.Src == nil || len(j.Run.Job.Alternatives.Dirs) == 0 {
		return nil
	}
	attr, e := d.Attr, vfs.Entry{Name: cmp.Or(name, ".")}
	if name != "" {
		var err error
		if attr, err = j.Stat(d, vfs.Entry{Name: name, Facts: facts}); err != nil {
			return nil
		}
	}
	o, _ := j.Attrs.DesiredAt(d.Volumes(), d.Src, e, attr)
	defer o.Close()
	var first *report.Basis
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		there, err := vfs.Lstat(dir.Dir, e.Name)
		if err != nil || !there.Mode.IsDir() {
			continue
		}
		b := &report.Basis{Diff: j.Attrs.DiffersIn(d.Volumes(), metadata.Entry{Dir: dir.Dir, Name: e.Name}, there, o)}
		if b.Diff == 0 {
			return b
		}
		if !j.Run.Job.Keep.Mtime {
			b.Diff |= report.DiffNow
		}
		first = cmp.Or(first, b)
	}
	return first
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

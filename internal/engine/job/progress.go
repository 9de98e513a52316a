package job

import "psync/internal/report"

// Expect reports that there is work to do in the directory called name in d, if the sink wants that.
func Expect(r *Run, d *Dir, name string) {
	if r.Reporting.Dirs {
		ReportDir(r, report.Expect, d.Path(name))
	}
}

// ExpectRoot is Expect for the destination itself.
func ExpectRoot(r *Run) (done func()) {
	ReportDir(r, report.Expect, "")
	return func() { ReportDir(r, report.Done, "") }
}

// ReportDir reports on work in the directory of the destination at path, if the sink wants that.
func ReportDir(r *Run, k report.Kind, path string) {
	if r.Reporting.Dirs {
		r.Job.Sink.Event(report.Event{Kind: k, Dir: path, IsDir: true})
	}
}

// EndSteps reports that d, if it is not nil, is done if a task of the given kind, which has ended, was the last of its steps.
func EndSteps(r *Run, d *Dir, k Kind) {
	switch {
	case !r.Reporting.Dirs || d == nil || !k.hasSteps() || d.Left.steps.Add(-1) != 0:
	case d.Task.Kind == Clear:
		EndSteps(r, d.Left.Held()[0], Clear)
	default:
		ReportDir(r, report.Done, d.Path(""))
	}
}

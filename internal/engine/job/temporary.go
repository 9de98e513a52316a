package job

import (
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Partial says where files stay that could not be completed, for later runs to make use of them. By default they are
// removed.
type Partial struct {
	Name string  // of a directory in that of each file; "": there is none
	Dir  vfs.Dir // one for all files; nil: there is none
}

// On reports whether files stay.
func (p Partial) On() bool { return p.Name != "" || p.Dir != nil }

// LeaveTemporary reports a temporary in the destination of d once if it is left because its process may still be
// running, unless the source has an entry of the same name.
func (r *Run) LeaveTemporary(d *Dir, t sweep.Temporary) {
	if d.Src != nil {
		if _, err := vfs.Lstat(d.Src, t.Name); err == nil {
			return
		}
	}
	at := Key{Source: d.Task.Source, Path: d.Path("")}
	if !r.Reporting.temporaries.Add(entryKey{at, t.Name}) {
		return
	}
	event := report.Event{Kind: report.Leave, Root: r.Job.DestLabel, Dir: at.Path, Name: t.Name, IsDir: t.IsDir, Size: t.Size}
	if d.Dst == r.Job.TempDir {
		event.Root = "--temp-dir"
	}
	r.Job.Sink.Event(event)
}

// RemoveTempDir removes an empty temporary directory of this run from the destination of d. If that fails, the next
// run will look for it there.
func (r *Run) RemoveTempDir(d *Dir, name string) error {
	err := vfs.IgnoreNotExist(d.Dst.Rmdir(name))
	if err != nil {
		d.LeavesTemporary.Store(true)
	}
	return err
}

// removeProbe removes a file that was made to probe a volume, and handles failures in the same way.
func (w *Worker) removeProbe(d *Dir, name string) {
	if err := vfs.IgnoreNotExist(w.Run.Lifter.Remove(d.Dst, name, nil)); err != nil {
		d.LeavesTemporary.Store(true)
		w.Fail(d, pairs.Dest, name, err)
	}
}

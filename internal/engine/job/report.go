package job

import (
	"errors"
	"io/fs"
	"sync/atomic"
	"syscall"

	"psync/internal/engine/attrs"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Reporting holds how to report, and what was reported.
type Reporting struct {
	OnlyRemoves    bool          // the run only removes the trees of Sources
	Unlisted       bool          // removals that succeed are not reported
	Announced      bool          // removals are also reported before they are done
	Rest           bool          // entries that are left as they are, backups and rules are reported
	Dirs           bool          // work in directories is reported
	Bases          bool          // what is new is compared with other trees, and the destination itself is reported
	Detail         report.Detail // what the sink needs to know about the entries of steps
	stopped        atomic.Bool   // a fatal error was reported
	sourceFailures Set[entryKey] // since a directory with deferred removals is looked at twice
	temporaries    Set[entryKey] // those that were left
}

// Emit emits an event about a step of the plan, or about an entry that is left as it is if the sink wants those. facts is
// what the listing of the source said of the entry, or nil.
func (w *Worker) Emit(d *Dir, facts *vfs.Facts, e report.Event) {
	if e.Kind > report.Delete && !w.Run.Reporting.Rest {
		return
	}
	if w.Run.Reporting.Detail != 0 {
		e.More = w.details(d, facts, e)
	}
	e.Dir = d.Path("")
	w.Run.Job.Sink.Event(e)
}

// details returns what the sink needs to know about the entry of a step. If the entry has meanwhile gone from the
// source, as with --remove-source-files, its attributes are those in the destination.
func (w *Worker) details(d *Dir, facts *vfs.Facts, e report.Event) *report.Details {
	more := new(report.Details)
	if w.Run.Reporting.Detail&report.DetailPath != 0 {
		more.Path = w.Run.Event(d, pairs.Source, e).Path()
	}
	if w.Run.Reporting.Detail&report.DetailAttrs == 0 && !(e.IsDir && w.Run.Reporting.Detail&report.DetailDirSize != 0) {
		return more
	}
	attr := d.Attr
	if e.Name != "" {
		err := error(fs.ErrNotExist)
		if d.Src != nil {
			attr, err = w.Stat(d, vfs.Entry{Name: e.Name, Facts: facts})
		}
		if err != nil && d.Dst != nil {
			attr, err = vfs.Lstat(d.Dst, e.Name)
		}
		if err != nil {
			return more
		}
	}
	more.Size, more.Mode, more.Mtime, more.UID, more.GID = attr.Size, attr.Mode, attr.Mtime, attr.UID, attr.GID
	return more
}

// Event completes an event with the place that it concerns.
func (r *Run) Event(d *Dir, side pairs.Side, e report.Event) report.Event {
	if side == pairs.Source || r.Reporting.OnlyRemoves {
		s := &r.Job.Sources[d.Task.Source]
		e.Root, e.Dir = s.Label, d.Task.Path
		if s.Original != "" && e.Name != "" {
			e.Name = s.Original
		}
	} else {
		e.Root, e.Dir = r.Job.DestLabel, d.Path("")
	}
	return e
}

// ErrDataless says that a file was left out.
var ErrDataless = errors.New("is not on this disk but in the cloud, so it was left out (--dataless=fetch)")

// ErrStopped stands for an entry that was abandoned because the run ends.
var ErrStopped = errors.New("stopped")

var errChanged = errors.New("has changed since it was compared, so it was not replaced; the next sync compares it again")

// Fail reports that the entry called name could not be copied. It ends the run if no other entry could be copied
// either.
func (w *Worker) Fail(d *Dir, side pairs.Side, name string, err error) {
	w.Failed(d, side, report.Event{Name: name, Err: err})
}

// FailDir does the same for a directory, or for d itself if name is "".
func (w *Worker) FailDir(d *Dir, side pairs.Side, name string, err error) {
	w.Failed(d, side, report.Event{Name: name, IsDir: true, Err: err})
}

// stopsWhenLost ends the run if an error says that a connection is lost, and reports whether it does.
func (r *Run) stopsWhenLost(err error) bool {
	lost, ok := errors.AsType[*vfs.LostError](err)
	if ok && !r.Reporting.stopped.Swap(true) {
		r.Stop(lost)
	}
	return ok
}

// Failed reports that the entry of an event could not be copied.
func (w *Worker) Failed(d *Dir, side pairs.Side, e report.Event) {
	if w.Run.Job.RemoveSource && w.Run.Job.SourceNamesRepeat() {
		w.Run.SourceNames.addUncopied(d.Key(), e.Name, e.IsDir)
	}
	w.failed(d, side, e)
}

// FailUnseen is Failed for an entry that is not counted as seen.
func FailUnseen(w *Worker, d *Dir, side pairs.Side, e report.Event, isDir bool) {
	failures := func() int64 { return w.Count.Get(report.Failed) + w.Count.Get(report.Vanished) }
	before := failures()
	w.Failed(d, side, e)
	if !isDir && failures() > before {
		w.Count.Add(report.UnseenFailed, 1)
		w.Count.Add(report.EntriesFailed, 1)
	}
}

// failed is Failed for an entry that may have been copied, but not correctly.
func (w *Worker) failed(d *Dir, side pairs.Side, e report.Event) {
	d.HasFailures.Store(true)
	switch {
	case e.Err == ErrStopped:
		return // the failure is not the entry's
	case w.Run.stopsWhenLost(e.Err):
		d.Left.Failures.Add(1) // so that the journal does not record d as done before the run stops
		return
	case side == pairs.Source && w.Run.Job.Policy.DefersRemoval() && !w.Run.Reporting.sourceFailures.Add(entryKey{d.Key(), e.Name}):
		return
	}
	if w.Attrs.Source.Dataless != 0 && errors.Is(e.Err, syscall.EDEADLK) {
		e.Err = ErrDataless
	}
	if errors.Is(e.Err, vfs.ErrChanged) {
		e.Err = errChanged
	}
	profile := w.Attrs.Source
	if side == pairs.Dest {
		profile = w.Attrs.Dest
	}
	// A file that is opened for writing may also be locked.
	if (side == pairs.Source || e.IsDir) && profile.MayBePrivate(e.Err) {
		w.Count.Add(report.Private, 1)
	}
	// A file system mounted within the destination may be full on its own.
	if fatal := Fatal(e.Err); fatal != nil && side == pairs.Dest && (w.Run.Reporting.OnlyRemoves || d.DestAttr.Dev == w.Run.DestID.Dev) {
		if w.Run.Reporting.stopped.Swap(true) {
			d.Left.Failures.Add(1) // as above
			return                 // several workers hit the same failure
		}
		w.explain(fatal, d, e)
		w.Run.Stop(fatal)
	}
	var count report.Count
	e.Kind, count = report.Fail, report.Failed
	if side == pairs.Source && errors.Is(e.Err, fs.ErrNotExist) && w.Run.hasVanished(d, e.Name) {
		e.Kind, count = report.Vanish, report.Vanished
	}
	if count == report.Failed {
		d.Left.Failures.Add(1)
	}
	w.Count.Add(count, 1)
	w.Run.Job.Sink.Event(w.Run.Event(d, side, e))
}

// hasVanished reports whether an entry of the source of d, or d itself for "", no longer exists. The error that
// suggests so may concern something else, such as a file that its rules name or one that the system uses for the
// call, so the source is checked again.
func (r *Run) hasVanished(d *Dir, name string) bool {
	switch {
	case r.Lifter.Source.ListedMayLack:
		return false // where a system hides entries, one that cannot be found may still exist
	case d.Src == nil && (name != "" || d.Task.Dirs == nil):
		return true // the directory could not be opened
	case name != "":
		_, err := source.Look(d.Src, name, r.Job.Links.Follows() || r.IsListedDir(d, name))
		return errors.Is(err, fs.ErrNotExist)
	}
	up, name := d.Task.Dirs.Parent()
	if up == nil {
		if d.Src == nil {
			return true
		}
		now, err := d.Src.Statx(".", vfs.StatxFresh)
		return errors.Is(err, fs.ErrNotExist) || err == nil && now.Nlink == 0
	}
	in, side, err := up.Use()
	if err != nil {
		return side == pairs.Source && errors.Is(err, fs.ErrNotExist)
	}
	defer up.Done()
	_, err = in.Src.Statx(name, vfs.StatxFresh)
	return errors.Is(err, fs.ErrNotExist)
}

// ReportAttrs reports what was noted about the attributes of an entry, or of d itself for "". An entry fails only
// once, however many attributes could not be read or set: failed records that it has.
func (w *Worker) ReportAttrs(d *Dir, name string, failed *bool, notes attrs.Notes) {
	asked := false
	for _, n := range notes {
		if n.Failed {
			w.failAttrs(d, name, failed, n)
			continue
		}
		for attr := report.Attr(1); attr <= n.Attrs; attr <<= 1 {
			if n.Attrs&attr == 0 {
				continue
			}
			e := report.Event{Kind: report.Unkept, Name: name, IsDir: name == "", Attr: attr, Err: n.Err, Asked: n.Asked&attr != 0}
			if e.Asked {
				asked = true
				w.Count.Add(report.Unkeeps, 1)
			}
			w.Run.Job.Sink.Event(w.Run.Event(d, pairs.Dest, e))
		}
	}
	if asked && !*failed {
		d.Left.Failures.Add(1) // so that the journal does not record the directory as done
	}
}

func (w *Worker) failAttrs(d *Dir, name string, failed *bool, n attrs.Note) {
	if *failed {
		return
	}
	*failed = true
	at := pairs.Dest
	if n.OnSource {
		at = pairs.Source
	}
	e := report.Event{Name: name, IsDir: name == "", Err: n.Err}
	if e.IsDir {
		w.failed(d, at, e)
	} else {
		w.Failed(d, at, e)
	}
}

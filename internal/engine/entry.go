package engine

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errNotEmpty   = errors.New("a directory that is not empty is in the way")
	errNotRegular = errors.New("is no longer a regular file")
	errCollision  = errors.New("another entry of the source was already copied to this name; does the destination ignore case?")
)

// An item is an entry of the source, no directory, and what is to be done with it.
type item struct {
	name  string
	step  plan.Step
	there vfs.Attr // what the destination has
	diff  report.Diff
}

// entry copies an entry that is no directory.
func (w *worker) entry(ctx context.Context, d *directory, e vfs.Entry) {
	if d.task.Kind == queue.Copy {
		w.count.Add(seen(e.Type), 1)
	} else if !w.tally.wasPutOff(d, e.Name) {
		return
	}
	it := item{name: e.Name, step: plan.For(e.Type, plan.Absent, w.Policy.Sync), there: vfs.Attr{Mode: plan.Absent}}
	if it.step != plan.Skip || w.Compare {
		var err error
		if it.there, err = w.there(d, e.Name); err != nil {
			w.fail(d, onDest, e.Name, err)
			return
		}
		it.step = plan.For(e.Type, it.there.Mode, w.Policy.Sync)
	}
	if it.step == plan.Create || it.there.Mode.Type() != e.Type {
		it.diff = report.DiffNew
	}
	switch {
	case w.Compare && it.step == plan.Skip:
		w.compareSpecial(d, e, it)
		return
	case it.step == plan.Skip:
		w.Sink.Event(w.event(d, onSource, report.Event{Kind: report.Skip, Name: e.Name}))
		return
	case it.step == plan.Create && w.Policy.Existing,
		it.step != plan.Create && w.Policy.IgnoreExisting:
		return
	}
	if e.Type == fs.ModeSymlink {
		w.symlink(ctx, d, it)
	} else {
		w.file(ctx, d, it)
	}
}

func seen(t fs.FileMode) report.Count {
	switch t {
	case 0:
		return report.FilesSeen
	case fs.ModeSymlink:
		return report.LinksSeen
	}
	return report.SpecialsSeen
}

// compareSpecial tells how a fifo, socket or device differs.
func (w *worker) compareSpecial(d *directory, e vfs.Entry, it item) {
	attr, err := d.src.Lstat(e.Name)
	if err != nil {
		w.fail(d, onSource, e.Name, err)
		return
	}
	ev := report.Event{Kind: report.Copy, Name: e.Name, Diff: it.diff}
	switch {
	case it.there.Mode.Type() == plan.Absent:
	case it.diff != 0:
		ev.Kind = report.Replace
	default:
		ev.Kind, ev.Diff = report.SetAttr, plan.Diff(attr, it.there, w.Keep, d.tolerance)
	}
	if ev.Diff != 0 {
		w.tell(d, ev)
	}
}

// makeWay sees to it that an entry can take its place where a directory stands
// in the destination: that must be empty, or else is emptied. It is called when
// the entry is complete, but under another name. It returns errDone if it is put off.
func (w *worker) makeWay(ctx context.Context, d *directory, it *item) error {
	if it.step != plan.ReplaceDir || w.Compare {
		return nil
	}
	err := d.wantEmpty(it.name)
	switch {
	case !errors.Is(err, errNotEmpty) || !w.Delete.On:
		return err
	case w.putsOff(d):
		w.putOffWay(ctx, d, it.name)
		return errDone
	case w.clear(ctx, d, it.name):
		return nil
	}
	return err
}

// goesFirst reports whether makeWay is to be called before anything is made: where
// nothing will be, or it is unlikely to succeed.
func (w *worker) goesFirst(d *directory) bool {
	return w.DryRun || w.putsOff(d) || w.Backup.On && w.Backup.inPlace()
}

// wantEmpty returns an error if the directory called name in the destination is not empty.
func (d *directory) wantEmpty(name string) error {
	sub, err := d.dst.OpenDir(name)
	if err != nil {
		return err
	}
	defer sub.Close()
	return sub.ReadDir(func([]vfs.Entry) error { return errNotEmpty })
}

// collision explains why a name exists in a directory that was empty.
func (d *directory) collision(err error) error {
	if d.fresh() && errors.Is(err, fs.ErrExist) {
		return errCollision
	}
	return err
}

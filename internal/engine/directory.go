package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errInDest     = errors.New("is the destination itself")
	errNotDir     = errors.New("exists and is not a directory; nothing in it was copied")
	errNotEmpty   = errors.New("a directory that is not empty is in the way")
	errNotRegular = errors.New("is no longer a regular file")
	errCollision  = errors.New("another entry of the source was already copied to this name; does the destination ignore case?")
)

// A directory is the pair of directories that a worker has in hand.
type directory struct {
	pair
	task     queue.Task
	into     string      // what the destination's paths start with
	attr     vfs.Attr    // of the source
	destAttr vfs.Attr    // of the destination as it is; zero where a dry run lacks it
	found    fs.FileMode // of the destination before it was opened up
	masked   bool        // the permissions of what is created must be set again
	finished bool        // all that is to be done to its attributes is done or deferred
	children bool        // directories below it are still to be copied
	farDest  bool        // the destination is on a network file system
	route    *content.Route
}

// fresh reports whether nothing exists in the destination but what this run made.
func (d *directory) fresh() bool { return d.task.New }

func (d *directory) key() key { return key{d.task.Source, d.task.Path} }

// directory copies the entries of one directory and gives it its attributes.
// An error means that the queue is broken.
func (w *worker) directory(ctx context.Context, c queue.Claim) error {
	d := &directory{task: c.Task(), into: w.Sources[c.Task().Source].Into}
	p, side, err := w.handles.enter(d.key())
	if err != nil {
		w.failDir(d, side, "", err)
		return nil
	}
	defer w.handles.leave(d.key())
	d.pair = p
	d.found = d.closedMode // or 0
	defer w.closeUp(d)
	if side, err := w.inspect(d); err != nil {
		w.failDir(d, side, "", err)
		return nil
	}
	if !d.fresh() && !w.DryRun {
		w.sweep(d)
	}

	var broken error
	err = w.list(d, func(entries []vfs.Entry) error {
		if broken = w.subdirectories(ctx, d, c, entries); broken != nil {
			return broken
		}
		for _, e := range entries {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !e.Type.IsDir() {
				w.entry(ctx, d, e)
			}
		}
		return nil
	})
	if broken != nil || ctx.Err() != nil {
		return broken
	}
	if err != nil {
		w.failDir(d, onSource, "", err)
	}
	if w.copiesItself(d) {
		w.finish(d)
	}
	return nil
}

// copiesItself reports whether d is copied itself, rather than only entries of it.
func (w *worker) copiesItself(d *directory) bool {
	return d.task.Path != "" || len(w.Sources[d.task.Source].Names) == 0
}

// inspect finds out about the pair of directories what the copy needs to know.
func (w *worker) inspect(d *directory) (side, error) {
	var err error
	if d.attr, err = d.src.Lstat("."); err != nil {
		return onSource, err
	}
	if w.copiesItself(d) {
		w.count.Add(report.DirsSeen, 1)
	}
	if w.Dest != nil && d.attr.ID() == w.destID {
		return onSource, errInDest
	}
	if d.dst == nil {
		return 0, nil
	}
	if d.destAttr, err = d.dst.Lstat("."); err != nil {
		return onDest, err
	}
	d.masked = d.task.Masked
	if m, ok := d.dst.(vfs.Masker); ok && (!d.fresh() || d.task.Path == "") {
		d.masked = m.Masked()
	}
	if !d.wasClosed {
		d.found = d.destAttr.Mode
	}
	w.openUp(d)
	dest := w.volumes.device(d.dst, d.destAttr)
	d.farDest = dest.Network
	d.route = w.routes.Between(w.volumes.device(d.src, d.attr), dest)
	return 0, nil
}

// openUp lets the owner write into a directory of an earlier run whose source
// is read-only, until it is finished. Whoever is not its owner will hear of it
// with each entry. A new root, which this run did not make, is treated as the
// directories that it does make: so a later run can tell that it is not finished.
func (w *worker) openUp(d *directory) {
	if w.DryRun || !w.copiesItself(d) {
		return
	}
	mode := d.destAttr.Mode | 0o700
	if d.fresh() {
		mode = mode&^fs.ModePerm | d.attr.Mode.Perm() | 0o700
	}
	if mode != d.destAttr.Mode && d.dst.Chmod(".", mode) == nil {
		d.destAttr.Mode = mode
	}
}

// closeUp takes back what openUp did to a directory that was there before, if the
// run ends before the directory is finished.
func (w *worker) closeUp(d *directory) {
	if d.opened() && !d.finished {
		_ = d.dst.Chmod(".", d.found)
	}
}

// opened reports whether a directory that was there before has been opened up.
func (d *directory) opened() bool {
	return !d.fresh() && d.dst != nil && d.found.IsDir() && d.destAttr.Mode != d.found
}

// list yields the entries to copy, some at a time.
func (w *worker) list(d *directory, yield func([]vfs.Entry) error) error {
	if w.copiesItself(d) {
		return d.src.ReadDir(yield)
	}
	var entries []vfs.Entry
	for _, name := range w.Sources[d.task.Source].Names {
		attr, err := d.src.Lstat(name)
		if err != nil {
			w.fail(d, onSource, name, err)
			continue
		}
		entries = append(entries, vfs.Entry{Name: name, Type: attr.Mode.Type()})
	}
	return yield(entries)
}

// subdirectories makes the directories among entries and queues each at once,
// so that other workers can start on it.
func (w *worker) subdirectories(ctx context.Context, d *directory, c queue.Claim, entries []vfs.Entry) error {
	for _, e := range entries {
		if !e.Type.IsDir() || ctx.Err() != nil {
			continue
		}
		fresh, ok := w.subdirectory(d, e.Name, e.Name)
		if !ok {
			continue
		}
		d.children = true
		w.handles.retain(d.key(), 1)
		err := c.Put(queue.Task{
			Source: d.task.Source,
			Path:   join(d.task.Path, strings.Clone(e.Name)), // or the name would keep all of the listing
			New:    fresh,
			Masked: fresh && d.masked,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// subdirectory makes sure that the destination has a directory called name, and
// reports whether it is new and whether copying can go on inside.
func (w *worker) subdirectory(d *directory, srcName, name string) (fresh, ok bool) {
	there, err := d.look(name)
	if err != nil {
		w.failDir(d, onDest, name, err)
		return false, false
	}
	switch plan.For(fs.ModeDir, there) {
	case plan.Merge:
		return false, true
	case plan.Refuse:
		w.failDir(d, onDest, name, errNotDir)
		return false, false
	}
	if !w.DryRun {
		attr, err := d.src.Lstat(srcName)
		if err != nil {
			w.failDir(d, onSource, srcName, err)
			return false, false
		}
		// The owner needs all rights until everything inside is done.
		if err := d.dst.Mkdir(name, attr.Mode.Perm()|0o700); err != nil {
			w.failDir(d, onDest, name, d.collision(err))
			return false, false
		}
	}
	w.count.Add(report.DirsMade, 1)
	w.tell(d, report.Event{Kind: report.Mkdir, Name: name, IsDir: true})
	return true, true
}

// look returns the type of what the destination has under name, or [plan.Absent].
func (d *directory) look(name string) (fs.FileMode, error) {
	if d.fresh() || d.dst == nil {
		return plan.Absent, nil
	}
	attr, err := d.dst.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return plan.Absent, nil
	}
	return attr.Mode.Type(), err
}

// collision explains why a name exists in a directory that was empty.
func (d *directory) collision(err error) error {
	if d.fresh() && errors.Is(err, fs.ErrExist) {
		return errCollision
	}
	return err
}

// entry copies an entry that is no directory.
func (w *worker) entry(ctx context.Context, d *directory, e vfs.Entry) {
	w.count.Add(seen(e.Type), 1)
	step := plan.For(e.Type, plan.Absent)
	if step != plan.Skip {
		there, err := d.look(e.Name)
		if err != nil {
			w.fail(d, onDest, e.Name, err)
			return
		}
		step = plan.For(e.Type, there)
	}
	switch step {
	case plan.Skip:
		w.Sink.Event(w.event(d, onSource, report.Event{Kind: report.Skip, Name: e.Name}))
		return
	case plan.ReplaceDir:
		if err := d.wantEmpty(e.Name); err != nil {
			w.fail(d, onDest, e.Name, err)
			return
		}
	}
	if e.Type == fs.ModeSymlink {
		w.symlink(d, e.Name, step)
	} else {
		w.file(ctx, d, e.Name, step)
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

// wantEmpty returns an error if the directory called name in the destination is not empty.
func (d *directory) wantEmpty(name string) error {
	sub, err := d.dst.OpenDir(name)
	if err != nil {
		return err
	}
	defer sub.Close()
	return sub.ReadDir(func([]vfs.Entry) error { return errNotEmpty })
}

// finish gives the destination directory the attributes of the source.
func (w *worker) finish(d *directory) {
	if w.DryRun {
		return
	}
	want := d.attr
	want.Mode = fs.ModeDir | plan.DirMode(d.attr.Mode, d.found, d.fresh())
	change := plan.Changes(want, d.destAttr, w.Keep)
	if change.Chmod && d.children && change.Mode.Perm()&0o700 != 0o700 {
		w.deferMode(d, change.Mode)
		change.Chmod = false
	}
	d.finished = true
	if err := w.set(d, "", named{d.dst, "."}, change, d.attr); err != nil {
		w.failDir(d, onDest, "", err)
	}
}

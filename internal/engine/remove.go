package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A removal is a directory of the destination that goes, with all that is in it.
// Each is a task of its own; whoever removes the last entry of a directory
// removes the directory, too, and so on upwards.
type removal struct {
	up   *removal
	dev  uint64       // the file system that it must be on
	rest atomic.Int64 // directories in it that are still there, and itself until it is listed
	kept atomic.Bool  // something in it stays, so it does, too

	// stays is set in the place of the topmost removals' parent, a directory that
	// stays, and is to be finished once they are gone.
	stays *unfinished
}

// doom queues the doomed directories of d, which is to be finished as u when
// they are gone, for removal.
func (w *worker) doom(d *directory, u *unfinished) error {
	up := &removal{stays: u}
	up.rest.Store(int64(len(d.doomed)))
	w.doomed.adopt(d.key(), 1)
	for _, name := range d.doomed {
		if err := w.doomOne(d.key(), d.claim, &removal{up: up, dev: d.destAttr.Dev}, name); err != nil {
			return err
		}
	}
	return nil
}

// doomOne queues the directory called name in the one at k.
func (w *worker) doomOne(k key, c interface{ Put(...queue.Task) error }, rm *removal, name string) error {
	rm.rest.Store(1)
	child := key{k.source, join(k.path, name)}
	w.doomed.adopt(k, 2) // to open it, and to remove it
	w.mu.Lock()
	if w.removals == nil {
		w.removals = make(map[key]*removal)
	}
	w.removals[child] = rm
	w.mu.Unlock()
	return c.Put(queue.Task{Kind: queue.Remove, Source: k.source, Path: child.path})
}

// removeDirectory empties one directory of the destination. An error means that
// the queue is broken.
func (w *worker) removeDirectory(ctx context.Context, c queue.Claim) error {
	d := &directory{task: c.Task(), claim: c, into: w.Sources[c.Task().Source].Into}
	w.mu.Lock()
	d.removal = w.removals[d.key()]
	w.mu.Unlock()
	p, _, err := w.doomed.enter(d.key())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // or so much the better
			w.failDir(d, onDest, "", err)
			d.removal.kept.Store(true)
		}
		w.removed(d.key(), d.removal)
		return c.Ack()
	}
	d.pair = p
	w.newShelf(d, removeOneOfAll, removeEmptied)
	err = w.empty(ctx, d)
	d.broken = err != nil
	return errors.Join(err, w.handOn(ctx, d))
}

func removeOneOfAll(ctx context.Context, w *worker, d *directory, e vfs.Entry) {
	if !w.removeEntry(ctx, d, e) {
		d.removal.kept.Store(true)
	}
}

// removeEmptied goes on when all entries of d but directories are dealt with.
func removeEmptied(ctx context.Context, w *worker, d *directory) error {
	d.closeAsides()
	// Over SMB a directory that is open stays until it is closed.
	w.doomed.leave(d.key())
	if !d.broken && ctx.Err() == nil {
		w.removed(d.key(), d.removal)
	}
	return d.claim.Ack()
}

// empty removes the entries of d, and queues its subdirectories. An error means that
// the queue is broken.
func (w *worker) empty(ctx context.Context, d *directory) (broken error) {
	rm := d.removal
	attr, err := d.dst.Lstat(".")
	d.destAttr = attr
	if errors.Is(err, fs.ErrNotExist) {
		return nil // somebody else was faster
	}
	if err == nil {
		err = w.mayEmpty(d, rm.dev)
	}
	if err != nil {
		rm.kept.Store(true)
		if err != errSpared {
			w.failDir(d, onDest, "", err)
		}
		return nil
	}
	w.allowRemoving(d)
	d.dstVolume = w.volumes.of(d.dst, attr)
	d.farDest = d.dstVolume.Device.Network
	err = d.dst.ReadDir(func(entries []vfs.Entry) error {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			switch {
			case d.dstVolume.Companions && isCompanion(d.dst, e.Name): // it goes with that, or stays
				return true
			case w.spared(d.path(e.Name), e):
				rm.kept.Store(true)
				return true
			}
			return false
		})
		for _, e := range entries {
			if !e.Type.IsDir() {
				continue
			}
			rm.rest.Add(1)
			if broken = w.doomOne(d.key(), d.claim, &removal{up: rm, dev: rm.dev}, strings.Clone(e.Name)); broken != nil {
				return broken
			}
		}
		return w.share(ctx, d, slices.DeleteFunc(entries, isDir))
	})
	if err != nil && broken == nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		rm.kept.Store(true)
		w.failDir(d, onDest, "", err)
	}
	return broken
}

var errSpared = errors.New("spared")

// mayEmpty returns why the directory d of the destination must not be emptied.
func (w *worker) mayEmpty(d *directory, dev uint64) error {
	switch {
	case w.spareID[d.destAttr.ID()]:
		return errSpared
	case d.destAttr.Dev != dev && !w.Delete.CrossMounts:
		return vfs.ErrMount
	}
	return nil
}

// allowRemoving lets the owner remove what is in a read-only directory that is
// to go itself, as rsync does. Whoever is not its owner will hear of it with each entry.
func (w *worker) allowRemoving(d *directory) {
	if w.Delete.On && !w.DryRun && d.destAttr.Mode&0o200 == 0 && !w.User.Privileged() {
		_ = d.dst.Chmod(".", d.destAttr.Mode|0o200)
	}
}

// removed ends a part of a removal, and goes on with the directory above if it
// was the last one.
func (w *worker) removed(k key, rm *removal) {
	for rm.rest.Add(-1) == 0 {
		dir, name := parent(k.path)
		up := key{k.source, dir}
		gone := w.removeEmpty(up, name, rm)
		w.doomed.release(up)
		w.mu.Lock()
		delete(w.removals, k)
		w.mu.Unlock()
		if rm.up == nil {
			return
		}
		switch {
		case !gone:
			rm.up.kept.Store(true)
		case rm.up.stays != nil:
			rm.up.stays.touched.Store(true)
		}
		if rm.up.stays != nil {
			w.survived(up, rm.up)
			return
		}
		k, rm = up, rm.up
	}
}

// removeEmpty removes a directory in which nothing is left, and reports whether it is gone.
func (w *worker) removeEmpty(up key, name string, rm *removal) bool {
	if rm.kept.Load() {
		return false
	}
	p, _, err := w.doomed.use(up)
	d := &directory{task: queue.Task{Source: up.source, Path: up.path}, into: w.Sources[up.source].Into}
	if err != nil {
		w.failDir(d, onDest, name, err)
		return false
	}
	defer w.doomed.done(up)
	d.dst, d.destAttr.Dev = p.dst, rm.dev
	return w.rmdir(d, name)
}

// survived finishes a directory that stays when the last one to go from it has.
func (w *worker) survived(k key, top *removal) {
	if top.rest.Add(-1) > 0 {
		return
	}
	defer w.doomed.release(k)
	p, _, err := w.doomed.use(k)
	if err != nil {
		w.failDir(top.stays.d, onDest, "", err)
		return
	}
	defer w.doomed.done(k)
	w.finishLast(top.stays, p)
}

// A RemoveJob is what Remove needs. The caller closes the directories in it.
type RemoveJob struct {
	Workers     *Workers
	Auto        bool
	OpenDirs    int // as in [Options]
	DryRun      bool
	CrossMounts bool // remove what is mounted in the trees, too
	// Trees are the entries to remove: the Names of each in its Dir.
	Trees []Source

	Queue queue.Queue
	Sink  report.Sink
	Stats *report.Stats
}

// Remove removes trees. Errors are as those of [Run].
func Remove(ctx context.Context, j RemoveJob) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRun(Job{
		Options: Options{Auto: j.Auto, OpenDirs: j.OpenDirs, DryRun: j.DryRun, Delete: Delete{CrossMounts: j.CrossMounts}},
		Sources: j.Trees, Workers: j.Workers, Queue: j.Queue, Sink: j.Sink, Stats: j.Stats,
	}, stop)
	defer r.close()
	r.onlyRemoves = true
	w := r.worker()
	for i, s := range j.Trees {
		r.doomed.addRoot(i, pair{dst: s.Dir})
		d := &directory{task: queue.Task{Source: i}, pair: pair{dst: s.Dir}}
		for _, name := range s.Names {
			attr, err := s.Dir.Lstat(name)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				w.fail(d, onDest, name, err)
			case !attr.Mode.IsDir():
				w.removeEntry(ctx, d, vfs.Entry{Name: name, Type: attr.Mode.Type()})
			default:
				if err := w.doomOne(d.key(), j.Queue, &removal{dev: attr.Dev}, name); err != nil {
					return err
				}
			}
		}
	}
	r.employ(ctx)
	return context.Cause(ctx)
}

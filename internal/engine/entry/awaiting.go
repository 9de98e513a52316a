package entry

import (
	"context"
	"io/fs"
	"slices"

	"psync/internal/engine/hardlink"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// An Awaiting directory has names whose groups are led by others.
type Awaiting struct {
	Dir   *job.DirInfo
	items []awaited
}

// An awaited entry has a name that is to be linked.
type awaited struct {
	it   *item
	t    fs.FileMode
	attr vfs.Attr
	g    *linkGroup
}

// IsAwaiting reports whether d has names whose groups are led by others.
func (d *Parent) IsAwaiting() bool { return len(d.awaited) > 0 }

// LinkAwaited links the names of d whose groups were led by others, until d awaits only those that are
// still led, or ctx is done.
func (w *Worker) LinkAwaited(ctx context.Context, d *Parent) {
	for {
		some := d.awaited
		d.awaited = nil
		var rest []awaited
		for _, a := range some {
			if ctx.Err() != nil {
				d.awaited = nil
				return
			}
			if !w.linkOneAwaited(ctx, d, a) {
				rest = append(rest, a)
			}
		}
		d.awaited = append(d.awaited, rest...)
		if len(rest) == len(some) {
			return
		}
	}
}

// linkOneAwaited deals with an awaited entry, and returns false if its group is still led.
func (w *Worker) linkOneAwaited(ctx context.Context, d *Parent, a awaited) bool {
	before := w.results()
	defer func() { w.countFailed(before) }()
	switch w.links.Lead(a.g) {
	case hardlink.Copied:
		first, _ := w.links.Copy(a.g)
		if !w.linkName(ctx, d, a, first) {
			w.put(ctx, d, a.t, a.it)
		}
	case hardlink.Free: // led by us now
		d.Trouble.Store(true) // the next run may have to make this name once more
		a.it.group = a.g
		w.put(ctx, d, a.t, a.it)
	default:
		return false
	}
	return true
}

// Await leaves d, in which nothing else is to be copied, until a group that it awaits is done: NextReady
// returns it then, to the worker that has done that. It returns false if one of them is done by now. Once it
// has returned true, another worker may be at work in d.
func (w *Worker) Await(d *Parent) bool {
	a := &Awaiting{Dir: d.DirInfo, items: d.awaited}
	groups := make([]*linkGroup, len(a.items))
	for i, item := range a.items {
		groups[i] = item.g
	}
	d.Task.Dirs.Retain()
	waits := w.links.Wait(a, groups)
	if !waits {
		d.Task.Dirs.Release()
	}
	return waits
}

// NextReady returns a directory that was left to await groups which this worker has done since, or nil if
// there is none. The caller calls Release of its task's directories.
func (w *Worker) NextReady() *Awaiting {
	if len(w.ready) == 0 {
		return nil
	}
	a := w.ready[0]
	w.ready = slices.Delete(w.ready, 0, 1)
	return a
}

// Parent returns the pair of directories, open as p, as one that awaits what it did before.
func (a *Awaiting) Parent(p pairs.Pair) *Parent {
	return &Parent{Dir: job.Dir{DirInfo: a.Dir, Pair: p}, awaited: a.items}
}

// FailAwaited reports that the names of a cannot be made.
func (w *Worker) FailAwaited(a *Awaiting, side pairs.Side, err error) {
	for _, item := range a.items {
		before := w.results()
		w.job.Fail(a.Dir.Open(pairs.Pair{}), side, item.it.name, err)
		w.countFailed(before)
	}
}

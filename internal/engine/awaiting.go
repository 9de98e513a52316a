package engine

import (
	"context"
	"io/fs"

	"psync/internal/engine/hardlink"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// An awaiting directory has names whose groups are led by others.
type awaiting struct {
	d     *job.DirInfo
	items []awaited
	rest  *unfinished
}

// An awaited entry has a name that is to be linked.
type awaited struct {
	it   *item
	t    fs.FileMode
	attr vfs.Attr
	g    *linkGroup
}

// settleAwaited links what d waits for. It returns what is led by others still, or nil.
func (w *worker) settleAwaited(ctx context.Context, d *directory) []awaited {
	for {
		var rest []awaited
		some := d.awaited
		d.awaited = nil
		for _, a := range some {
			if ctx.Err() != nil {
				return nil
			}
			if !w.settleOneAwaited(ctx, d, a) {
				rest = append(rest, a)
			}
		}
		if len(rest) == len(some) {
			return rest
		}
		d.awaited = append(d.awaited, rest...)
	}
}

// settleOneAwaited deals with an awaited entry, and returns false if its group is still led.
func (w *worker) settleOneAwaited(ctx context.Context, d *directory, a awaited) bool {
	switch w.links.Lead(a.g) {
	case hardlink.Copied:
		first, _ := w.links.Copy(a.g)
		w.linkName(ctx, d, a, first)
	case hardlink.Free: // led by us now
		d.Trouble.Store(true) // the next run may have to make this name once more
		a.it.group = a.g
		w.put(ctx, d, a.t, a.it)
	default:
		return false
	}
	return true
}

// wait leaves d, in which nothing else is to be done, until the groups that it awaits are
// done, and then to u. It returns false if one of them is done by now. Once it has
// returned true, another worker may be at work in d.
func (w *worker) wait(d *directory, u *unfinished) bool {
	a := &awaiting{d: d.DirInfo, items: d.awaited, rest: u}
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

// resume continues with a directory whose groups are done.
func (w *worker) resume(ctx context.Context, a *awaiting) {
	dirs := a.d.Task.Dirs
	defer dirs.Release()
	p, side, err := dirs.Use()
	if err != nil {
		for _, item := range a.items {
			w.Fail(a.d.Open(pairs.Pair{}), side, item.it.name, err)
		}
		return
	}
	defer dirs.Done()
	d := &directory{Dir: a.d.Open(p)}
	d.awaited = a.items
	defer d.CloseOthers()
	defer func() {
		if d.Waits.Load() {
			w.Postpone(d.Dir)
		}
	}()
	for {
		d.awaited = w.settleAwaited(ctx, d)
		if ctx.Err() != nil {
			return
		}
		if len(d.awaited) == 0 {
			break
		}
		if w.wait(d, a.rest) {
			return
		}
	}
	w.finishLast(a.rest, p)
}

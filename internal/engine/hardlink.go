package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// mayStay reports whether what the destination has for an entry whose attributes are attr, and
// would leave as it is, does not stand for another entry already.
func (w *worker) mayStay(it *item, attr vfs.Attr) bool {
	if w.HardLinks && it.there.Nlink > 1 && !w.Compare && !w.links.claim(it.there.ID(), attr.ID()) {
		it.foreign = true
	}
	return !it.foreign
}

// joins reports whether an entry whose wanted attributes are attr is one of a group that
// somebody else leads or has led: then it is dealt with, or will be. If it is to be copied by the
// caller, its group is in it.
func (w *worker) joins(ctx context.Context, d *directory, it *item, attr vfs.Attr) bool {
	if !w.HardLinks {
		return false
	}
	if w.Compare {
		both := it.there.Mode.Type() == attr.Mode.Type()
		if both && (attr.Nlink > 1 || it.there.Nlink > 1) && !w.links.counterpart(attr.ID(), it.there.ID()) {
			it.diff |= report.DiffLinks
		}
		return false
	}
	if it.alone || it.group != nil {
		return false
	}
	g, lead := w.links.join(attr, w.RemoveSource)
	switch {
	case g == nil:
		return false
	case lead:
		it.group = g
		return false
	}
	a := awaited{it, attr.Mode.Type(), attr, g}
	if w.links.is(g, placed) {
		w.linkName(ctx, d, a)
		return true
	}
	kept := *it // for it is the worker's, who goes on
	kept.name = strings.Clone(kept.name)
	a.it = &kept
	d.mu.Lock()
	defer d.mu.Unlock()
	d.awaited = append(d.awaited, a)
	return true
}

// leave ends the leading of the group of it, if it has one, and deals with the
// directories that waited for that.
func (w *worker) leave(ctx context.Context, d *directory, it *item) {
	g := it.group
	if g == nil {
		return
	}
	it.group = nil
	dest := vfs.ID{}
	if it.placed {
		switch {
		case it.stays:
			dest = it.there.ID()
		case !w.DryRun:
			if attr, err := d.dst.Lstat(it.name); err == nil {
				dest = attr.ID()
			}
		}
		d.task.dirs.retain()
	}
	w.links.mu.Lock()
	var ready []*awaiting
	for _, a := range g.waits {
		if a.open--; a.open == 0 {
			ready = append(ready, a)
		}
	}
	g.waits = nil
	if it.placed {
		g.partial = g.partial || it.partial || it.flawed
		g.state, g.at, g.path, g.dest = placed, placedName{d.task.dirs, it.name}, d.path(it.name), dest
	} else if g.state == led {
		g.state = unled
	}
	w.links.mu.Unlock()
	if !it.putOff {
		w.dealtWith(g)
	}
	for _, a := range ready {
		w.resume(ctx, a)
	}
}

// dealtWith counts a name of a group, which is forgotten after the last one.
func (w *worker) dealtWith(g *linkGroup) {
	w.links.mu.Lock()
	defer w.links.mu.Unlock()
	if g.left--; g.left == 0 && !w.meetsNamesTwice() {
		delete(w.links.m, g.id)
	}
}

// meetsNamesTwice reports whether one name may be come by more than once, so that the
// number of links does not tell when a group is complete.
func (r *run) meetsNamesTwice() bool { return r.Links.Follows() || len(r.Sources) > 1 }

// linkName makes a name of an entry that the destination has under another one.
func (w *worker) linkName(ctx context.Context, d *directory, a awaited) {
	it, g := a.it, a.g
	w.links.mu.Lock()
	at, path, dest, partial := g.at, g.path, g.dest, g.partial
	w.links.mu.Unlock()
	same := dest != vfs.ID{} && it.there.ID() == dest
	if !same {
		linked, err := w.linkAs(ctx, d, it, at)
		if err != nil {
			if err != errDone {
				w.fail(d, onDest, it.name, err)
				w.dealtWith(g)
			}
			return
		}
		if !linked {
			it.alone, it.group = true, g
			w.put(ctx, d, a.t, it)
			return
		}
		if it.step != plan.Create && it.there.Mode.Type() == a.t {
			it.diff |= report.DiffLinks
		}
		w.countLinked(it, a)
		w.tell(d, report.Event{Kind: report.Link, Name: it.name, Type: a.t, Target: path, Size: a.attr.Size, Diff: it.diff})
	}
	if a.t == 0 {
		if d.task.Kind == copyTask {
			w.count.Add(report.BytesSeen, a.attr.Size)
		}
		if same {
			w.count.Add(report.FilesKept, 1)
		}
		w.count.Add(report.BytesKept, a.attr.Size)
	}
	w.dealtWith(g)
	if !partial {
		w.removeSource(d, it, a.attr)
	}
}

func (w *worker) countLinked(it *item, a awaited) {
	w.count.Add(report.HardLinked, 1)
	made := report.SpecialsMade
	switch {
	case it.step != plan.Create:
		made = report.Replaced
	case a.t == 0:
		made = report.FilesMade
	case a.t == fs.ModeSymlink:
		made = report.LinksMade
	}
	w.count.Add(made, 1)
}

// linkAs makes it a hard link to an entry of the destination. It returns false if that
// cannot be, but a copy can.
func (w *worker) linkAs(ctx context.Context, d *directory, it *item, at placedName) (linked bool, err error) {
	if w.goesFirst(d) {
		if err := w.makeWay(ctx, d, it); err != nil {
			return false, err
		}
	}
	if w.DryRun {
		return true, nil
	}
	refused := d.dstVolume.Unsupported(volume.Feature{Attr: report.HardLinks})
	if refused == nil {
		from := d.dst
		if at.dirs != d.task.dirs {
			p, _, err := at.dirs.use()
			if err != nil {
				return false, err
			}
			defer at.dirs.done()
			from = p.dst
		}
		w.touch(d)
		try := func(in vfs.Dir, name string) error {
			refused = in.Link(from, at.name, name)
			return refused
		}
		err = w.lifter.Force(func() error {
			if it.step == plan.Create {
				return d.collision(try(d.dst, it.name))
			}
			return w.replace(ctx, d, it, try)
		}, from, at.name)
	}
	if errors.Is(refused, errors.ErrUnsupported) || errors.Is(refused, syscall.EMLINK) {
		if errors.Is(refused, syscall.ENOTSUP) || errors.Is(refused, syscall.ENOSYS) {
			d.dstVolume.LearnUnsupported(volume.Feature{Attr: report.HardLinks}, refused)
		}
		w.reportAttrs(d, it.name, &it.flawed, w.attrs.Unkept(report.HardLinks, refused))
		return false, nil
	}
	return err == nil, err
}

package entry

import (
	"context"
	"errors"
	"strings"
	"syscall"

	"psync/internal/engine/hardlink"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

type (
	linkTable = hardlink.Table[placedName]
	linkGroup = hardlink.Group[placedName]
	linkCopy  = hardlink.Copy[placedName]
)

// A placedName is a name that exists in the destination.
type placedName struct {
	dirs *pairs.Node
	name string
	path string // below the destination
}

// joins reports whether an entry whose wanted attributes are attr belongs to a group that another worker leads or has
// led. In that case its link is made, or will be. If the caller must copy the entry, its group is stored in it.group.
func (w *Worker) joins(ctx context.Context, d *job.Dir, it *item, attr vfs.Attr) bool {
	if !w.job.Run.Job.HardLinks {
		return false
	}
	if w.job.Run.Job.Compare {
		both := it.there.Mode.Type() == attr.Mode.Type()
		if both && (attr.Nlink > 1 || it.there.Nlink > 1) && !w.shared.links.Counterparts(attr.ID(), it.there.ID()) {
			it.diff |= report.DiffLinks
		}
		return false
	}
	if it.alone || it.group != nil {
		return false
	}
	if d.Task.Bundle.LeavesLinks() {
		return leavesLink(w.job, d, it, attr)
	}
	g, lead := w.shared.links.Join(attr, w.job.Run.Job.RemoveSource)
	if g == nil {
		return false
	}
	d.Linked.Any.Store(true)
	if lead {
		it.group = g
		return false
	}
	if first, copied := w.shared.links.Copy(g); copied {
		return w.linkName(ctx, d, it, attr, g, first)
	}
	l := &AwaitedLink{*it, attr, g}
	l.it.name, l.it.facts = strings.Clone(it.name), nil // neither the listing nor its facts are kept in memory
	it.awaits = l
	return true
}

// leave gives up leading the item's group, if it leads one.
func (w *Worker) leave(d *job.Dir, it *item) {
	g := it.group
	if g == nil {
		return
	}
	it.group = nil
	if it.placed {
		w.shared.links.SetCopy(g, copyOf(w.job, d, it))
	} else {
		w.shared.links.EndLead(g)
	}
	if !it.deferred {
		w.shared.links.Done(g)
	}
}

// copyOf returns what the destination has of the item, and retains its directory.
func copyOf(j *job.Worker, d *job.Dir, it *item) linkCopy {
	d.Task.Dirs.Retain()
	c := linkCopy{At: placedName{d.Task.Dirs, it.name, d.Path(it.name)}, Partial: it.partial || it.flawed}
	if it.stays {
		c.ID = it.there.ID()
	} else if !j.Run.Job.DryRun {
		if attr, err := vfs.Lstat(d.Dst, it.name); err == nil {
			c.ID = attr.ID()
		}
	}
	return c
}

// linkName makes a name for an entry that the destination has under another one, first. It returns false if that is
// not possible; the caller must then copy the entry again.
func (w *Worker) linkName(ctx context.Context, d *job.Dir, it *item, attr vfs.Attr, g *linkGroup, first linkCopy) (dealtWith bool) {
	t := attr.Mode.Type()
	same := first.ID != vfs.ID{} && it.there.ID() == first.ID
	if !same {
		if it.step != plan.Create && it.there.Mode.Type() == t {
			it.diff |= report.DiffLinks | differencesOfName(w.job, d, it, attr)
		}
		linked, err := linkAs(ctx, w.job, d, it, first.At)
		if err != nil {
			if err != errDone {
				w.job.Fail(d, pairs.Dest, it.name, err)
				w.shared.links.Done(g)
			}
			return true
		}
		if !linked {
			it.alone, it.group = true, g
			return false
		}
		if t == 0 && !w.job.Run.Job.DryRun {
			place.RemoveParts(w.job, d, it.name, attr.Size)
		}
		w.job.Count.Add(report.HardLinked, 1)
		w.job.Count.Add(report.OthersCopied, 1)
		w.job.Count.Add(made(it.step, t), 1)
		w.job.Emit(d, it.facts, report.Event{Kind: report.Link, Name: it.name, Type: t, Target: first.At.path, Size: attr.Size, Diff: it.diff, Basis: basisOfName(w.job, d, it, attr, first)})
	} else {
		reportCurrent(w.job, d, it, report.Event{Name: it.name, Type: t, Size: attr.Size, Diff: report.DiffLinks})
	}
	if t == 0 {
		if d.Task.Kind == job.Copy {
			w.job.Count.Add(report.BytesSeen, attr.Size)
		}
		if same {
			w.job.Count.Add(report.FilesKept, 1)
		}
		w.job.Count.Add(report.BytesKept, attr.Size)
	} else if same {
		w.job.Count.Add(report.OthersKept, 1)
	}
	w.shared.links.Done(g)
	hashCurrent(ctx, w.job, d, it, attr)
	if !first.Partial {
		w.removeSource(d, it, attr)
	}
	return true
}

// differencesOfName returns how what had the item's name differs from the source, if that is reported.
func differencesOfName(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) report.Diff {
	if !j.Run.Reporting.Bases {
		return 0
	}
	o := desired(j, d, it, attr)
	defer o.Close()
	diff := differences(j, d, it, o)
	if !j.Run.Job.Keep.Mtime {
		diff |= report.DiffNow
	}
	return diff
}

// linkAs makes the item a hard link to an entry of the destination. It returns false if that is not possible but a
// copy is.
func linkAs(ctx context.Context, j *job.Worker, d *job.Dir, it *item, at placedName) (linked bool, err error) {
	if err := makeWayFirst(ctx, j, d, it); err != nil {
		return false, err
	}
	if j.Run.Job.DryRun {
		return true, nil
	}
	refused := d.DstVolume.Unsupported(volume.Feature{Attr: report.HardLinks})
	if refused == nil {
		from := d.Dst
		if at.dirs != d.Task.Dirs {
			p, _, err := at.dirs.Use()
			if err != nil {
				return false, err
			}
			defer at.dirs.Done()
			from = p.Dst
		}
		e := begin(j, d, it, nil)
		var out place.Outcome
		out, refused, err = place.HardLink(ctx, j, d, e, from, at.name)
		reportOutcome(j, d, it, &out)
	}
	if refused != nil {
		if errors.Is(refused, syscall.ENOTSUP) || errors.Is(refused, syscall.ENOSYS) {
			d.DstVolume.LearnUnsupported(volume.Feature{Attr: report.HardLinks}, refused)
		}
		j.ReportAttrs(d, it.name, &it.flawed, j.Attrs.Unkept(report.HardLinks, refused))
		return false, nil
	}
	return err == nil, err
}

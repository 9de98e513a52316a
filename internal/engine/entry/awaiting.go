package entry

import (
	"context"
	"slices"

	"psync/internal/engine/hardlink"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// An Awaiting is a directory with names whose groups other workers lead.
type Awaiting struct {
	Dir   *job.DirInfo
	Links []*AwaitedLink
}

// An AwaitedLink is a name that will be linked to an entry that another worker is about to copy.
type AwaitedLink struct {
	it   item
	attr vfs.Attr // of the source
	g    *linkGroup
}

// LinkAwaited links names of d whose groups were led by others. It continues until only names remain whose groups are
// still led, which it returns, or until ctx is done.
func (w *Worker) LinkAwaited(ctx context.Context, d *job.Dir, links []*AwaitedLink) (rest []*AwaitedLink) {
	for {
		rest = nil
		for _, l := range links {
			if ctx.Err() != nil {
				return nil
			}
			if !w.linkOneAwaited(ctx, d, l) {
				rest = append(rest, l)
			}
		}
		if len(rest) == len(links) {
			return rest
		}
		links = rest
	}
}

// linkOneAwaited processes an awaited link, and returns false if its group is still led.
func (w *Worker) linkOneAwaited(ctx context.Context, d *job.Dir, l *AwaitedLink) bool {
	before := resultsOf(w.job)
	defer func() { countFailed(w.job, before) }()
	it := &l.it
	switch w.shared.links.Lead(l.g) {
	case hardlink.Copied:
		first, _ := w.shared.links.Copy(l.g)
		if !w.linkName(ctx, d, it, l.attr, l.g, first) {
			w.put(ctx, d, l.attr.Mode.Type(), it)
		}
	case hardlink.Free: // now led by this worker
		d.HasFailures.Store(true) // the next run may have to make this name again
		it.group = l.g
		w.put(ctx, d, l.attr.Mode.Type(), it)
	default:
		return false
	}
	return true
}

// Await suspends d, in which only links are still to be made, until a group that one of them awaits is done:
// NextReady then returns d to the worker that completed the group. Await returns false if one of the groups is
// already done. Once it has returned true, another worker may be working in d.
func (w *Worker) Await(d *job.Dir, links []*AwaitedLink) bool {
	a := &Awaiting{Dir: d.DirInfo, Links: links}
	groups := make([]*linkGroup, len(links))
	for i, l := range links {
		groups[i] = l.g
	}
	d.Task.Dirs.Retain()
	waits := w.shared.links.Wait(a, groups)
	if !waits {
		d.Task.Dirs.Release()
	}
	return waits
}

// NextReady returns a directory that awaited groups which this worker has since completed, or nil if there is none.
// The caller calls Release of its task's directories.
func (w *Worker) NextReady() *Awaiting {
	if len(w.ready) == 0 {
		return nil
	}
	a := w.ready[0]
	w.ready = slices.Delete(w.ready, 0, 1)
	return a
}

// FailAwaited reports that the names of a cannot be made.
func (w *Worker) FailAwaited(a *Awaiting, side pairs.Side, err error) {
	for _, l := range a.Links {
		failUncounted(w.job, a.Dir.Open(pairs.Pair{}), side, l.it.name, err)
	}
}

package entry

import (
	"context"
	"slices"

	"psync/internal/engine/hardlink"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// An AwaitedLink is a name that will be linked to an entry that another worker is about to copy.
type AwaitedLink struct {
	it   item
	attr vfs.Attr // of the source
	g    *linkGroup
}

// LinkAwaited links names of d whose groups were led by others. It returns the names whose groups still are, and once ctx
// is done all that are left.
func (w *Worker) LinkAwaited(ctx context.Context, d *job.Dir, links []*AwaitedLink) (rest []*AwaitedLink) {
	return slices.DeleteFunc(links, func(l *AwaitedLink) bool { return ctx.Err() == nil && w.linkOneAwaited(ctx, d, l) })
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

// FailAwaited reports that names of a directory, which cannot be opened, cannot be made.
func (w *Worker) FailAwaited(d *job.Dir, links []*AwaitedLink, side pairs.Side, err error) {
	for _, l := range links {
		failUncounted(w.job, d, side, l.it.name, err)
	}
}

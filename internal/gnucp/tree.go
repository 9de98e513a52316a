package gnucp

import (
	"context"
	"slices"
	"sync/atomic"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/listing"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A directory is one whose entries are copied. It is open while a worker copies them.
type directory struct {
	entry.Parent
	walk.Node[bothSides]
	item     *item
	parent   *directory // of which it is an entry, for an operand nil
	src, dst string     // prefixes of the paths of its entries
	identity identity   // of an operand

	begin *output.Segment // where its entries belong
	end   *output.Segment // where its attributes are set, at the latest
	waits atomic.Bool     // entries wait for their turn
}

// copyTask returns the task to copy what is in a directory.
func (p *pool) copyTask(d *directory) task {
	return func(w *worker, claim *walk.Claim[task]) { p.copy(p.ctx, w, d, claim) }
}

// copy copies the entries of a directory: first what may be directories, so that others
// find work, then files.
func (p *pool) copy(ctx context.Context, w *worker, d *directory, claim *walk.Claim[task]) {
	d.end = d.begin.After()
	entries, ok := w.openBoth(d)
	if !ok {
		d.begin.Close()
		w.setAttributes(d)
		return
	}
	files := &runs{d: d, entries: entries}
	if !d.item.op.circular.Load() {
		claim.Put(w.copySubdirectories(ctx, p, files)...)
	}
	d.begin.Close() // before the runs: what is said of them need not wait
	list := walk.NewWorklist(p.Pool, files)
	list.Least = leastRuns
	list.Share(ctx, w, files.all())
	list.Finish(ctx, w)
}

// copySubdirectories copies what may be directories, and parts the files between them into runs. It returns the tasks to copy
// what is in directories, those to be claimed first at the end.
func (w *worker) copySubdirectories(ctx context.Context, p *pool, files *runs) (children []task) {
	d := files.d
	// With backups, a directory could be in the way of one.
	inOrder := w.Backup != policy.NoBackups
	last := d.begin
	for e := range files.entries.All() {
		if ctx.Err() != nil {
			break
		}
		if !policy.MayBeDirectory(e.Type, d.item.Follow) && !inOrder {
			last = files.add(last)
			continue
		}
		files.endGroup()
		last = last.After()
		if child := w.copyEntry(ctx, d, e, last); child != nil {
			child.begin = last
			children = append(children, p.copyTask(child))
			continue
		}
		last.Close()
	}
	slices.Reverse(children)
	return children
}

// copyInOrder copies a directory as cp does, one entry after the other.
func (w *worker) copyInOrder(ctx context.Context, d *directory, out *output.Segment) bool {
	d.begin, d.end = out, out
	entries, ok := w.openBoth(d)
	if !ok {
		w.setAttributes(d)
		return false
	}
	for e, more := entries.Take(); more; e, more = entries.Take() {
		if ctx.Err() != nil || d.item.op.circular.Load() {
			break
		}
		child := w.copyEntry(ctx, d, e, out)
		if child == nil {
			continue
		}
		w.dirs.Done(&d.Node) // or a deep tree takes two descriptors for each level
		ok = w.copyInOrder(ctx, child, out) && ok
		if _, ok := w.use(&d.Node, out); !ok {
			w.setAttributes(d)
			return false
		}
	}
	w.finishDirectory(d)
	return ok && ctx.Err() == nil
}

// copyEntry copies an entry of d, and returns it if it is a directory with entries.
func (w *worker) copyEntry(ctx context.Context, d *directory, e vfs.Entry, out *output.Segment) *directory {
	in := d.Value()
	it := &item{
		Copy: entry.Copy{
			Src: entry.Place{At: in.from, Prefix: d.src, Name: e.Name}, Dst: entry.Place{At: in.to, Prefix: d.dst, Name: e.Name},
			Follow: w.Follow == policy.FollowAll, Parent: &d.Parent, Out: out,
		},
		op: d.item.op, in: d, node: &d.Node, regular: e.Type.IsRegular(), turn: d.item.op.inOrder,
	}
	if it.Src.TooLong() {
		it.Src = it.Src.Free()
	}
	if it.Dst.TooLong() {
		it.Dst = it.Dst.Free()
	}
	if d.item.New {
		it.Known = entry.Absent
	}
	child, ok := w.copyItem(ctx, it)
	w.note(ok)
	return child
}

// openBoth opens both sides of a directory and lists the source, in the order of cp. If that
// fails, the directory is not open.
func (w *worker) openBoth(d *directory) (entries *listing.Listing, ok bool) {
	opened, ok := w.use(&d.Node, d.begin)
	if !ok {
		w.note(false)
		return nil, false
	}
	d.GivesACLs = opened.unreadable || (w.Preserve.Mode || w.Preserve.NoMode) && opened.to.HasDefaultACL()
	entries, err := listing.Read(opened.from.ReadDir)
	if err != nil {
		w.dirs.Done(&d.Node)
		w.note(false)
		return nil, d.begin.Fail(err, "cannot access %s", d.item.Src)
	}
	return entries, true
}

// finishDirectory ends the work on a directory all entries of which are done.
func (w *worker) finishDirectory(d *directory) {
	w.dirs.Done(&d.Node)
	w.setAttributes(d)
}

// setAttributes sets the attributes of a directory, now or, if that would be too early, in its turn.
func (w *worker) setAttributes(d *directory) {
	it := new(item)
	*it = *d.item // which is read below it
	finish := func(w *worker, now *output.Segment) {
		it.Out = now
		w.note(w.inDirectory(it, func() bool { return w.shared.Entry(&it.Copy) }))
	}
	restricts := it.Attr.Mode&0o700 != 0o700 || it.Made != nil && it.Made.Mode&0o700 != 0o700
	if it.op.inOrder || !(restricts || d.waits.Load()) || !d.end.Later(func(now *output.Segment) { finish(w.inTurn, now) }) {
		finish(w, d.end)
	}
	if !it.op.inOrder {
		d.end.Close()
	}
}

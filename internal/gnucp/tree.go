package gnucp

import (
	"context"
	"slices"
	"sync/atomic"

	"psync/internal/engine/dirnames"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/listing"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A directory is a directory whose entries are copied. It is open while a worker copies its entries.
type directory struct {
	entry.Parent
	walk.Node[bothSides]
	item     *item
	parent   *directory // the directory that contains this directory; nil for an operand
	src, dst string     // prefixes of the paths of its entries
	identity identity   // of an operand

	begin *output.Segment // the segment where the messages about its entries begin
	end   *output.Segment // the segment in whose turn its attributes are set, at the latest
	waits atomic.Bool     // entries wait for their turn

	emptyTries int // how many subdirectories may be tried before the next empty one; only the worker that lists d uses it
}

// copyTask returns the task that copies the entries of a directory.
func (p *pool) copyTask(d *directory) task {
	return func(w *worker, claim *walk.Claim[task]) { p.copy(p.ctx, w, d, claim) }
}

// copy copies the entries of a directory: first the entries that may be directories, so that other workers find
// work, then the files.
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
	d.begin.Close() // before the runs, so that their messages do not wait
	list := walk.NewSharedEntries(p.Pool, files)
	list.Least = minRuns
	list.Share(ctx, w, files.all())
	list.Finish(ctx, w)
}

// copySubdirectories copies the entries that may be directories, and splits the files between them into runs.
// It returns the tasks that copy the entries of the directories; the tasks to claim first are at the end.
func (w *worker) copySubdirectories(ctx context.Context, p *pool, files *runs) (children []task) {
	d := files.d
	// A directory could be in the way of a backup.
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
		w.dirs.Done(&d.Node) // otherwise a deep tree would take two descriptors for each level
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
	src, dst := entry.Place{At: in.from, Prefix: d.src, Name: e.Name}, entry.Place{At: in.to, Prefix: d.dst, Name: e.Name}
	if e.Type.IsRegular() && d.item.New && w.files.CopyPlain(&d.Parent, src, dst) {
		return nil
	}
	half := false
	if e.Type.IsDir() && d.item.New {
		made, complete := w.copyEmptyDir(d, src, dst)
		if complete {
			return nil
		}
		half = made
	}
	it := &item{
		Copy: entry.Copy{
			Src: src, Dst: dst,
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
	if d.item.New && !half {
		it.DestKnown = entry.DestAbsent
	}
	child, ok := w.copyItem(ctx, it)
	w.note(ok)
	return child
}

// copyEmptyDir copies a subdirectory of d, a new directory, in one call if it is empty, while it keeps finding empty
// ones. A directory that was made but is not complete must be copied like one that exists. As long as workers are idle,
// copyEmptyDir does nothing, since they look at directories in parallel.
func (w *worker) copyEmptyDir(d *directory, src, dst entry.Place) (made, complete bool) {
	if p := w.atWork.Load(); d.emptyTries == 0 || p != nil && p.Idle() > 0 {
		return false, false
	}
	made, complete = w.files.CopyEmptyDir(&d.Parent, src, dst, func(id vfs.ID) bool {
		_, known := w.copies.directory(id, d.item.op.number)
		_, scanned := w.scanned.Load(id)
		return known || scanned
	})
	if made {
		d.emptyTries++
	} else {
		d.emptyTries-- // trying has cost a few calls
	}
	return made, complete
}

// openBoth opens both sides of a directory and lists the source in cp's order. If openBoth fails, the directory
// is not open.
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
	if d.item.New && w.shared.Volumes.Of(d.Dev, opened.to.Statfs).SlowExclusive {
		d.Distinct = areDistinct(entries)
	}
	return entries, true
}

// areDistinct reports whether no file system takes the names of two entries for one.
func areDistinct(entries *listing.Listing) bool {
	var keys dirnames.KeySet
	for e := range entries.All() {
		keys.Grow(1)
		if !keys.Add(dirnames.KeyHash(e.Name)) {
			return false
		}
	}
	return true
}

// finishDirectory ends the work on a directory once all its entries are done.
func (w *worker) finishDirectory(d *directory) {
	w.dirs.Done(&d.Node)
	w.setAttributes(d)
}

// setAttributes sets the attributes of a directory, either now or, if now is too early, when its turn comes.
func (w *worker) setAttributes(d *directory) {
	it := new(item)
	*it = *d.item // d.item is read while entries below d are copied
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

package gnucp

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// runLength is how many files, at most, a worker takes from a directory at once, so
// that others find some left.
const runLength = 32

// leastRuns is how many runs are worth waking another worker for.
const leastRuns = 2

// A directory is one whose entries are copied. It is open while somebody does that.
type directory struct {
	entry.Parent
	walk.Node[bothSides]
	item   *item
	parent *directory      // of which it is an entry, for an operand nil
	begin  *output.Segment // where its entries belong
	end    *output.Segment // where its attributes are set, at the latest

	waits atomic.Bool // entries wait for their turn

	idsMu sync.Mutex // guards ids
	ids   idPair     // of both sides of an operand when it was first opened
}

// A span is some entries of a directory, in order.
type span struct {
	entries  []vfs.Entry
	descends bool // it is one entry, which may be a directory
	out      *output.Segment
}

// copy copies the entries of a directory: first what may be directories, so that others
// find work, then files.
func (p *pool) copy(ctx context.Context, w *worker, d *directory, claim *walk.Claim[task]) {
	d.end = d.begin.After()
	entries, ok := w.openBoth(d)
	if !ok {
		d.begin.Close()
		w.conclude(d)
		return
	}
	if d.item.op.circular.Load() {
		entries = nil
	}
	// With backups, a directory could be in the way of one.
	early := w.Backup == policy.NoBackups
	var children []task
	var runs []span
	last := d.begin
	for _, s := range cut(entries, d.item.Follow) {
		last = last.After()
		s.out = last
		switch {
		case ctx.Err() != nil:
		case s.descends:
			if child := w.copyEntry(ctx, d, s.entries[0], s.out); child != nil {
				child.begin = s.out
				children = append(children, p.task(child))
				continue
			}
			s.out.Close()
		case early:
			runs = append(runs, s)
		default:
			w.copyRun(ctx, d, s)
		}
	}
	slices.Reverse(children) // the newest is claimed first
	claim.Put(children...)
	d.begin.Close() // before the runs: what is said of them need not wait
	list := walk.NewWorklist(p.Pool, sharedRuns{d})
	list.Least = leastRuns
	list.Share(ctx, w, runs)
	list.Finish(ctx, w)
}

// cut parts the entries of a directory into runs of files and single entries that may be directories.
func cut(entries []vfs.Entry, follow bool) (spans []span) {
	for len(entries) > 0 {
		n := 0
		for n < len(entries) && n < runLength && !mayBeDirectory(entries[n], follow) {
			n++
		}
		descends := n == 0
		n = max(n, 1)
		spans = append(spans, span{entries: entries[:n], descends: descends})
		entries = entries[n:]
	}
	return spans
}

// A sharedRuns has the runs of files in a directory copied by whoever is idle.
type sharedRuns struct{ d *directory }

func (r sharedRuns) Begin(*worker)                             {}
func (r sharedRuns) Do(ctx context.Context, w *worker, s span) { w.copyRun(ctx, r.d, s) }
func (r sharedRuns) Then(_ context.Context, w *worker)         { w.leave(r.d) }

// copyRun copies a run of files.
func (w *worker) copyRun(ctx context.Context, d *directory, s span) {
	for _, e := range s.entries {
		if ctx.Err() == nil {
			w.copyEntry(ctx, d, e, s.out)
		}
	}
	s.out.Close()
}

// copyInOrder copies a directory as cp does, one entry after the other.
func (w *worker) copyInOrder(ctx context.Context, d *directory, out *output.Segment) bool {
	d.begin, d.end = out, out
	entries, ok := w.openBoth(d)
	if !ok {
		w.conclude(d)
		return false
	}
	for _, e := range entries {
		if ctx.Err() != nil || d.item.op.circular.Load() {
			break
		}
		child := w.copyEntry(ctx, d, e, out)
		if child == nil {
			continue
		}
		w.dirs.Done(&d.Node) // or a deep tree takes two descriptors for each level
		ok = w.copyInOrder(ctx, child, out) && ok
		if !w.use(d, out) {
			w.conclude(d)
			return false
		}
	}
	w.leave(d)
	return ok && ctx.Err() == nil
}

// mayBeDirectory reports whether an entry has to be looked at early.
func mayBeDirectory(e vfs.Entry, follow bool) bool {
	return e.Type.IsDir() || follow && e.Type == fs.ModeSymlink
}

// copyEntry copies an entry of d, and returns it if it is a directory with entries.
func (w *worker) copyEntry(ctx context.Context, d *directory, e vfs.Entry, out *output.Segment) *directory {
	it := &item{
		Copy: entry.Copy{
			Src: entry.Place{At: d.Value().from, Dir: d.item.Src.String(), Name: e.Name}, Dst: entry.Place{At: d.Value().to, Dir: d.item.Dst.String(), Name: e.Name},
			Follow: w.Follow == policy.FollowAll, Parent: &d.Parent, Out: out,
		},
		op: d.item.op, in: d, regular: e.Type.IsRegular(), turn: d.item.op.inOrder,
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
	w.note(w.entry(ctx, it))
	it.Src.At, it.Dst.At = localfs.At{}, localfs.At{} // d may be closed before the child is opened
	return it.child
}

// openBoth opens both sides of a directory and lists the source, in the order of cp. If that
// fails, the directory is not open.
func (w *worker) openBoth(d *directory) (entries []vfs.Entry, ok bool) {
	if !w.use(d, d.begin) {
		w.note(false)
		return nil, false
	}
	d.GivesACLs = d.Value().unreadable || (w.Preserve.Mode || w.Preserve.NoMode) && d.Value().to.HasDefaultACL()
	err := d.Value().from.ReadDir(func(some []vfs.Entry) error {
		entries = append(entries, some...)
		return nil
	})
	if err != nil {
		w.dirs.Done(&d.Node)
		w.note(false)
		return nil, d.begin.Fail(err, "cannot access %s", d.item.Src)
	}
	slices.SortStableFunc(entries, func(a, b vfs.Entry) int { return cmp.Compare(a.Ino, b.Ino) })
	return entries, true
}

// leave ends the work on a directory all entries of which are done.
func (w *worker) leave(d *directory) {
	w.dirs.Done(&d.Node)
	w.conclude(d)
}

// conclude sets the attributes of a directory, now or, if that would be too early, in its turn.
func (w *worker) conclude(d *directory) {
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

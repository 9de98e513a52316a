package survey

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/alias"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A walker examines each entry of the source.
type walker struct {
	trials   *trials
	profile  *metadata.Profile
	user     vfs.User
	keep     metadata.Keep
	stop     context.CancelCauseFunc
	volume   vfs.Volume // of the source's root
	rootIno  uint64
	pool     *walk.Pool[*directory, *worker]
	dirs     walk.Cache[vfs.Dir]
	totals   totals
	findings *findings
}

// A worker has no state of its own.
type worker struct{}

// begin looks up the root of the source.
func (w *walker) begin(root vfs.Dir) error {
	attr, err := vfs.Lstat(root, ".")
	if err != nil {
		return err
	}
	w.rootIno = attr.Ino
	w.volume, _ = root.Statfs() // after an error, treat it as an ordinary volume
	return nil
}

// do examines the entries of a directory.
func (w *walker) do(ctx context.Context, worker *worker, c *walk.Claim[*directory]) {
	d := c.Task()
	d.claim = c
	dir, err := w.dirs.Use(&d.Node)
	if d.parent != nil {
		w.dirs.Release(&d.parent.Node)
	}
	if err != nil {
		w.findings.add(d.at(), Unread, reason(err))
		c.Ack()
		return
	}
	d.dir = dir
	if d.parent == nil {
		w.root(d)
	}
	d.shared = walk.NewSharedEntries[*directory](w.pool, d)
	d.shared.Least = 2
	if err := d.list(ctx, worker); err != nil && ctx.Err() == nil {
		w.findings.add(d.at(), Unread, reason(err))
	}
	d.shared.Finish(ctx, worker)
}

// root examines the root of the source, whose attributes a copy keeps.
func (w *walker) root(d *directory) {
	attr, err := vfs.Lstat(d.dir, ".")
	if err != nil {
		w.findings.add(".", Unread, reason(err))
		return
	}
	w.check(w.attributes(d, ".", attr))
}

// list reads the directory and shares its entries with idle workers.
func (d *directory) list(ctx context.Context, worker *worker) error {
	var names alias.Detector
	always := func(vfs.Entry) bool { return true }
	err := d.dir.ReadDir(func(entries []vfs.Entry) error {
		rest := slices.DeleteFunc(slices.Clone(entries), d.skips)
		if d.w.trials.names.folds && !d.lost {
			var failures []alias.Failure
			rest, failures = names.Defer(d.dir, nil, alias.Known{New: true, Folds: true}, rest, always)
			for _, f := range failures {
				d.w.findings.add(vfs.Join(d.path, f.Name), Unread, reason(f.Err))
			}
		}
		d.shared.Share(ctx, worker, rest)
		return context.Cause(ctx)
	})
	for _, a := range names.End() {
		same, err := d.w.trials.names.same(a.First, a.Name)
		d.w.check(err)
		d.entry(a.Entry, same)
	}
	return err
}

// skips reports whether an entry belongs to the system and is never copied.
func (d *directory) skips(e vfs.Entry) bool {
	atRoot := d.parent == nil && d.w.volume.RootIno != 0 && d.w.volume.RootIno == d.w.rootIno
	return atRoot && d.w.profile.IsVolumeFile(e.Name) ||
		d.w.volume.AppleDouble && strings.HasPrefix(e.Name, "._") && source.IsAppleDouble(d.dir, e.Name)
}

// Begin implements [walk.Entries].
func (d *directory) Begin(*worker) {}

// Do implements [walk.Entries].
func (d *directory) Do(_ context.Context, _ *worker, e vfs.Entry) { d.entry(e, false) }

// Then implements [walk.Entries].
func (d *directory) Then(context.Context, *worker) {
	d.w.dirs.Done(&d.Node)
	d.w.dirs.Release(&d.Node)
	d.claim.Ack()
}

// entry examines an entry. collides says that another entry has the same name in the destination.
func (d *directory) entry(e vfs.Entry, collides bool) {
	w, path := d.w, vfs.Join(d.path, e.Name)
	attr, err := vfs.Lstat(d.dir, e.Name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) { // otherwise it has vanished
			w.findings.add(path, Unread, reason(err))
		}
		return
	}
	w.totals.count(attr)
	lost, why := d.lost, d.why
	switch {
	case lost:
		w.findings.add(path, why, "")
	case collides:
		lost, why = true, Collision
		w.findings.add(path, why, "")
	default:
		lost, why, err = d.lostEntry(path, e.Name, attr)
		w.check(err)
	}
	if attr.Mode.IsDir() {
		d.put(e.Name, path, lost, why)
	}
	if !lost {
		w.totals.need(attr, w.trials.keepsHoles, w.trials.blockSize)
		w.check(w.attributes(d, e.Name, attr))
	}
}

// put adds a task for a subdirectory.
func (d *directory) put(name, path string, lost bool, why Kind) {
	sub := &directory{w: d.w, parent: d, name: name, path: path, lost: lost, why: why}
	sub.Node = walk.NewNode[vfs.Dir](&d.Node, sub)
	d.w.dirs.Retain(&d.Node, 1)
	d.w.dirs.Retain(&sub.Node, 1)
	d.claim.Put(sub)
}

// check ends the survey if err is not nil, because the destination has failed.
func (w *walker) check(err error) {
	if err != nil {
		w.stop(err)
	}
}

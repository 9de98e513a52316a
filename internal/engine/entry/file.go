package entry

import (
	"context"
	"errors"
	"slices"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// errDone says that nothing is left to do for an entry.
var errDone = errors.New("done")

var errChangedDuringCopy = errors.New("changed while it was copied, so the copy may be a mixture; the next sync copies it again")

// file copies a regular file unless the policy considers it up to date.
func (w *Worker) file(ctx context.Context, d *job.Dir, it *item) {
	if done := w.compare(ctx, d, it); done {
		return
	}
	attr, side, err := w.transfer(ctx, d, it)
	if err == errDone {
		return
	}
	if errors.Is(err, vfs.ErrChanged) && skipsNewer(w.job, d, it, attr) {
		return
	}
	if err != nil && err != errChangedDuringCopy {
		w.job.Fail(d, side, it.name, err)
		return
	}
	it.placed, it.partial = true, err == errChangedDuringCopy
	it.stays = w.job.Run.Job.Policy.Method(it.step, 0, it.there.Mode, false) == plan.Rewrite && !it.foreign
	w.job.Count.Add(made(it.step, 0), 1)
	w.job.Count.Add(report.FilesCopied, 1)
	w.job.Emit(d, it.facts, report.Event{Kind: copied(it.step), Name: it.name, Size: attr.Size, Diff: it.diff, Basis: it.basis})
	if err != nil {
		w.job.Fail(d, side, it.name, err)
		return
	}
	w.removeSource(d, it, attr)
}

// transfer copies contents and attributes, and returns the attributes of the source. A dry run also opens the source,
// to find out what cannot be read.
func (w *Worker) transfer(ctx context.Context, d *job.Dir, it *item) (attr vfs.Attr, side pairs.Side, err error) {
	w.job.Current.SetName(it.name)
	defer w.job.Current.SetName("")
	src, err := w.job.Run.Open(d, it.name)
	if err != nil {
		return attr, pairs.Source, err
	}
	defer vfs.CloseUnwritten(src)
	if attr, err = statOrigin(ctx, w.job, d, src); err != nil {
		return attr, pairs.Source, err
	}
	if w.joins(ctx, d, it, attr) {
		return attr, 0, errDone
	}
	if d.Sharing != nil && (attr.Size >= longFile || w.job.Run.Job.AlwaysShare) {
		d.Sharing.Offer()
	}
	o, notes := w.job.Attrs.Desired(d.Volumes(), src, attr)
	w.job.ReportAttrs(d, it.name, &it.flawed, notes)
	w.job.Attrs.KeepMode(o, it.there)
	it.foreign = it.foreign || plan.MustReplace(w.job.Run.Job.Keep, &o.Want, it.there)
	meet(w.job, d, it, o)
	countUnasked(w.job, d, src, &o.Want)
	alt := findAlternative(ctx, w.job, d, it, src, o)
	if it.step == plan.Create {
		it.basis = alt.Basis
	}
	from := place.Source{File: src, Attr: attr}
	if alt.Near.File != nil {
		defer vfs.CloseUnwritten(alt.Near)
		from = alt.Near
	}
	err = makeWayFirst(ctx, w.job, d, it)
	if err == nil && alt.Exact != nil {
		var done bool
		if done, err = w.take(ctx, d, it, alt, attr); done {
			err = errDone
		}
	}
	if err != nil {
		return attr, pairs.Dest, err
	}
	if w.job.Run.Job.DryRun {
		w.job.Count.Add(report.BytesCopied, attr.Size)
		return attr, 0, nil
	}
	side, err = w.placeAndHash(ctx, d, it, place.Source{File: src, Attr: attr}, from, o)
	return attr, side, err
}

// placeAndHash puts the contents of from under the item's name and, if requested, records the hash of src.
func (w *Worker) placeAndHash(ctx context.Context, d *job.Dir, it *item, src, from place.Source, o *attrs.Desired) (side pairs.Side, err error) {
	hash := beginHash(ctx, w.job, src.File, src.Attr)
	defer hash.end()
	partial, err := w.placeDespiteOutages(ctx, d, it, from, o)
	side, err = blame(ctx, err)
	switch {
	case err != nil:
		return side, err
	case partial:
		return pairs.Source, errChangedDuringCopy
	case w.job.Run.Job.Hashes.New == nil:
		return 0, nil
	}
	return hash.record(ctx, w.job, d, it, src.File, src.Attr)
}

// meet counts a file that will be copied, and completes its differences.
func meet(j *job.Worker, d *job.Dir, it *item, o *attrs.Desired) {
	if d.Task.Kind == job.Copy {
		j.Count.Add(report.BytesSeen, o.Want.Size)
	}
	if it.diff&report.DiffNew == 0 {
		it.diff |= differences(j, d, it, o)
	}
	if !j.Run.Job.Keep.Mtime {
		it.diff |= report.DiffNow
	}
}

// countUnasked counts what the source file has but the options do not preserve.
func countUnasked(j *job.Worker, d *job.Dir, src vfs.File, want *metadata.State) {
	if want.Nlink > 1 && !j.Run.Job.HardLinks {
		j.Count.Add(report.DroppedHardLinks, 1)
	}
	has := j.Attrs.Unasked(d.Volumes(), src, want)
	if has.ACLs {
		j.Count.Add(report.DroppedACLs, 1)
	}
	if has.Xattrs {
		j.Count.Add(report.DroppedXattrs, 1)
	}
	if has.Forks {
		j.Count.Add(report.DroppedForks, 1)
	}
}

// placeDespiteOutages is place, but starts again after each outage.
func (w *Worker) placeDespiteOutages(ctx context.Context, d *job.Dir, it *item, from place.Source, o *attrs.Desired) (partial bool, err error) {
	partial, err = w.place(ctx, d, it, from, o)
	for n := 0; vfs.StartsAgain(n, err); n++ {
		partial, err = w.placeAgain(ctx, d, it)
	}
	if it.part != "" {
		_ = place.Discard(w.job, d, it.part) // if that fails, the next run looks for it
	}
	return partial, err
}

// placeAgain puts the contents of a file under the item's name after an attempt that may have left some of it there.
func (w *Worker) placeAgain(ctx context.Context, d *job.Dir, it *item) (partial bool, err error) {
	src, err := w.job.Run.Open(d, it.name)
	if err != nil {
		return false, &content.ReadError{Err: err}
	}
	defer vfs.CloseUnwritten(src)
	attr, err := statOrigin(ctx, w.job, d, src)
	if err != nil {
		return false, &content.ReadError{Err: err}
	}
	o, _ := w.job.Attrs.Desired(d.Volumes(), src, attr) // failures to read were already reported
	w.job.Attrs.KeepMode(o, it.there)
	again := *it
	again.before = it.step
	if it.step == plan.Create {
		// The first attempt may have left it: a stale file cannot be distinguished from others, so it was not removed.
		there, err := vfs.Lstat(d.Dst, it.name)
		if err == nil && there.Mode.IsRegular() && (d.DstVolume.IsExact() || holds(d.Dst, it.name)) {
			again.step, again.there = plan.Replace, there
		}
	}
	partial, err = w.place(ctx, d, &again, place.Source{File: src, Attr: attr}, o)
	it.flawed, it.part = it.flawed || again.flawed, again.part
	return partial, err
}

// holds reports whether a directory has an entry of exactly this name, rather than one with another spelling.
func holds(dir vfs.Dir, name string) (found bool) {
	_ = dir.ReadDir(func(entries []vfs.Entry) error { // if that fails, nothing is replaced
		found = found || slices.ContainsFunc(entries, func(e vfs.Entry) bool { return e.Name == name })
		return nil
	})
	return found
}

// place puts the contents of from under the item's name, and reports whether they changed in the meantime.
func (w *Worker) place(ctx context.Context, d *job.Dir, it *item, from place.Source, o *attrs.Desired) (partial bool, err error) {
	e := begin(w.job, d, it, o)
	e.Delay, e.Part, e.Before = delays(w.job, d, it), it.part, it.before
	e.Patch = w.job.Run.Job.Policy.Patches(it.step, from.Attr, it.there, it.foreign)
	w.job.Copier.Cutoff, w.copied = rangesFrom(w.job, d), copiedBytes{}
	w.job.Count.Add(report.BytesLeft, from.Attr.Size)
	if from.Attr.Size >= longFile {
		w.job.Current.BeginTransfer(from.Attr.Size)
	}
	defer func() { w.job.Count.Add(report.BytesLeft, w.copied.total()-from.Attr.Size) }()
	method := w.methodFor(it, o, w.job.Run.Job.TempDir != nil || w.job.Run.Job.Partial.On() || mayShareRanges(w.job, d, from.Attr.Size))
	if method == plan.Rewrite {
		w.job.Run.Listings.ChangesInPlace(it.there)
	}
	if err := checkRoom(w.job, d, e, from, method); err != nil {
		return false, err
	}
	out, err := place.File(ctx, w.job, d, e, from, method)
	if out.Verified && err == nil {
		w.job.Count.Add(report.Verified, 1)
	}
	if out.Mismatched {
		w.job.Count.Add(report.Mismatched, 1)
	}
	if !errors.As(err, new(*vfs.OutageError)) { // or the next attempt finds out what cannot be kept
		reportOutcome(w.job, d, it, &out)
	}
	if out.Part != "" {
		it.part = place.KeepLonger(w.job, d, it.part, out.Part)
	}
	if out.Temp != "" {
		w.delay(d, it, out.Temp, from.Attr.Size)
	}
	if err != nil && err != errDone {
		w.job.Count.Add(report.BytesCopied, -w.copied.total())
	}
	return out.Partial, err
}

// mayShareRanges reports whether several workers may copy a file of this size at once.
func mayShareRanges(j *job.Worker, d *job.Dir, size int64) bool {
	cutoff := rangesFrom(j, d)
	return cutoff > 0 && size >= cutoff && size > 0
}

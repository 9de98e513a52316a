package place

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// copyTo copies the contents of from to the new file dst, using the file that is replaced where that pays.
func copyTo(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, dst vfs.File, from Source) error {
	if j.Run.Job.Policy.Append && d.DstVolume.Network && from.Attr.Size > 0 { // files of /proc have contents, and no size
		return j.Copier.Continue(ctx, dst, from.File, from.Attr, 0, true, d.Route)
	}
	base := openBase(j, d, e, from)
	if base.File == nil {
		return j.Copier.Copy(ctx, dst, from.File, from.Attr, d.Route)
	}
	defer vfs.CloseUnwritten(base)
	return j.Copier.Patch(ctx, dst, from.File, base.File, from.Attr, base.Attr, d.Route)
}

// openBase opens a file that the new one may be made from: what an earlier attempt or run has left of it, the file that is
// replaced, or a similar one. Otherwise it returns none.
func openBase(j *job.Worker, d *job.Dir, e Entry, from Source) (base Source) {
	if !(d.Dst.Caps() | from.Caps()).Has(vfs.CanSum) || !j.Run.Job.Policy.TakesBase(from.Attr) {
		return base
	}
	if e.Part != "" {
		base = openAsBase(j, tempDir(j, d), e.Part, from)
	}
	if base.File == nil {
		base = openPart(j, d, e, from)
	}
	if base.File == nil && e.Patch {
		base = openAsBase(j, d.Dst, e.Name, from)
	}
	if base.File == nil && e.Action == plan.Create && j.Run.Job.Policy.Fuzzy {
		if similar := findSimilar(d, e.Name, from.Attr); similar != "" {
			base = openAsBase(j, d.Dst, similar, from)
		}
	}
	return base
}

// openPart opens what an earlier run has left of a file. If there is nothing, it returns none.
func openPart(j *job.Worker, d *job.Dir, e Entry, from Source) (base Source) {
	in, done := openPartialDir(j, d, false)
	if in == nil {
		return base
	}
	defer done()
	return openAsBase(j, in, e.Name, from)
}

// openAsBase opens a file that the copy of from may be made from. Otherwise it returns none.
func openAsBase(j *job.Worker, in vfs.Dir, name string, from Source) (base Source) {
	f, err := in.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return base
	}
	attr, err := vfs.Stat(f)
	if err != nil || !plan.IsBase(attr) || !j.Copier.CanPatch(from.File, f, from.Attr, attr) {
		vfs.CloseUnwritten(f)
		return base
	}
	return Source{f, attr}
}

// overwrite copies the contents of from to dst, which had the attributes was.
func overwrite(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, dst vfs.File, was vfs.Attr, from Source) error {
	switch p := j.Run.Job.Policy; {
	case p.Append && (was.Size > from.Attr.Size || was.Size == from.Attr.Size && e.Before == 0):
		return vfs.ErrChanged
	case p.Append:
		same, err := true, error(nil)
		if p.AppendVerify {
			same, err = j.Copier.Equal(ctx, from.File, dst, was.Size)
		}
		switch {
		case err != nil && !errors.Is(err, content.ErrChanged): // which a longer file may seem to be
			return err
		case err == nil && same:
			return j.Copier.Continue(ctx, dst, from.File, from.Attr, was.Size, d.DstVolume.Network, d.Route)
		}
	}
	if e.Patch && j.Copier.CanPatch(from.File, dst, from.Attr, was) {
		return j.Copier.PatchInPlace(ctx, dst, from.File, from.Attr, was, d.Route)
	}
	return j.Copier.Overwrite(ctx, dst, from.File, from.Attr, d.Route)
}

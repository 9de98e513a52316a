package entry

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// blame determines which side an error of a content.Copier concerns.
func blame(ctx context.Context, err error) (pairs.Side, error) {
	if err == nil {
		return 0, nil
	}
	if ctx.Err() != nil && err == context.Cause(ctx) {
		return pairs.Source, job.ErrStopped
	}
	if read, ok := errors.AsType[*content.ReadError](err); ok {
		if err == read {
			err = read.Err // otherwise it also says what was left behind
		}
		return pairs.Source, err
	}
	return pairs.Dest, err
}

// isPrefix reports whether a file of the source starts with the entire contents of the one in the destination.
func isPrefix(ctx context.Context, j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) bool {
	same, _, err := sameContents(ctx, j, d, it.name, attr, it.there.Size)
	return err == nil && same
}

// sameContents compares the first size bytes of a file on both sides, starting again after each outage. A file that
// cannot be read in the destination counts as different, so it is replaced, and so does one whose counterpart in the
// source, which had the attributes attr, changed during the comparison. In a comparison of trees, both are errors.
func sameContents(ctx context.Context, j *job.Worker, d *job.Dir, name string, attr vfs.Attr, size int64) (same bool, side pairs.Side, err error) {
	for n := 1; ; n++ {
		if same, side, err = compareOnce(ctx, j, d, name, attr, size); !vfs.StartsAgain(n, err) {
			break
		}
	}
	if err != nil && side == pairs.Dest && !j.Run.Job.Compare && err != job.ErrStopped {
		return false, 0, nil
	}
	return same, side, err
}

// compareOnce is sameContents without another attempt, by which a file that cannot be read is an error.
func compareOnce(ctx context.Context, j *job.Worker, d *job.Dir, name string, attr vfs.Attr, size int64) (same bool, side pairs.Side, err error) {
	src, err := j.Run.Open(d, name)
	if err != nil {
		return false, pairs.Source, err
	}
	defer vfs.CloseUnwritten(src)
	dst, err := d.Dst.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return false, pairs.Dest, err
	}
	defer vfs.CloseUnwritten(dst)
	j.Copier.Cutoff = rangesFrom(j, d)
	same, err = j.Copier.Equal(ctx, src, dst, size)
	if err == nil && same {
		same, err = unchangedSince(j, d, src, attr)
	}
	if err == nil {
		return same, 0, nil
	}
	side, err = blame(ctx, err)
	return false, side, err
}

// unchangedSince reports whether a file of the source is unchanged since it had the attributes attr. For a
// comparison of trees, a change is an error.
func unchangedSince(j *job.Worker, d *job.Dir, src vfs.File, attr vfs.Attr) (bool, error) {
	change, _, err := changed.Since(src, attr, d.SrcVolume.Network)
	same := change == plan.Unchanged
	if err == nil && !same && j.Run.Job.Compare {
		err = errChangedCompared
	}
	if err != nil {
		err = &content.ReadError{Err: err}
	}
	return same, err
}

// statOrigin returns the attributes that the copy of a file of the source should have, as of a time when a later change
// would alter them.
func statOrigin(ctx context.Context, j *job.Worker, d *job.Dir, src vfs.File) (vfs.Attr, error) {
	attr, err := vfs.Stat(src)
	switch {
	case err != nil:
	case !attr.Mode.IsRegular():
		err = place.ErrNotRegular
	case attr.Flags&j.Attrs.Source.Dataless != 0 && !j.Run.Job.FetchDataless:
		err = job.ErrDataless
	case !j.Run.Job.DryRun:
		attr, err = changed.AwaitNotRacy(ctx, src, attr, d.SrcVolume.Network)
		_, err = blame(ctx, err)
	}
	if err == nil {
		j.Attrs.Adjust(&attr, d.Dst, &d.Inherited)
	}
	return attr, err
}

// listed returns the entry as it was listed.
func (it *item) listed() vfs.Entry { return vfs.Entry{Name: it.name, Facts: it.facts} }

package entry

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

var errChangedBeforeHash = errors.New("changed before it was hashed, so its hash was left out")

// A sourceHash is the hash of a file of the source that may be computed while the file is copied: both read the same
// bytes at about the same time, one of them from the system's cache.
type sourceHash struct {
	hash job.FileHash
	done chan error // nil: not started
}

// beginHash starts hashing src, which has the attributes attr, if that is requested and the file is so long that the
// copy should not wait. The caller calls end.
func beginHash(ctx context.Context, j *job.Worker, src vfs.File, attr vfs.Attr) sourceHash {
	if j.Run.Job.Hashes.New == nil || j.Run.Job.Hashes.OfDest || attr.Size < longFile {
		return sourceHash{}
	}
	h := sourceHash{j.Run.Job.Hashes.New(), make(chan error, 1)}
	go func() {
		defer close(h.done)
		h.done <- content.Digest(ctx, h.hash, src)
	}()
	return h
}

// wait waits until src is no longer being read, and returns the error of reading it.
func (h *sourceHash) wait() error {
	if h.done == nil {
		return nil
	}
	err := <-h.done
	h.done = nil
	return err
}

// end also waits until src is no longer being read.
func (h *sourceHash) end() {
	if h.done != nil {
		for range h.done {
			// If the file was not copied, an error does not matter.
		}
	}
}

// record records the hash of a file that the destination has. src had the attributes attr when it was copied, or
// was found current.
func (h *sourceHash) record(ctx context.Context, j *job.Worker, d *job.Dir, it *item, src vfs.File, attr vfs.Attr) (side pairs.Side, err error) {
	if err := h.wait(); err != nil {
		// The copy may have survived an outage that made this fail.
		h.hash = nil
		if src, err = j.Run.Open(d, it.name); err != nil {
			return pairs.Source, err
		}
		defer vfs.CloseUnwritten(src)
	}
	if h.hash == nil {
		h.hash = j.Run.Job.Hashes.New()
		side, f := pairs.Source, src
		if j.Run.Job.Hashes.OfDest {
			side = pairs.Dest
			if f, err = d.Dst.OpenFile(it.name, vfs.ReadOnly, 0); err != nil {
				return side, err
			}
			defer vfs.CloseUnwritten(f)
		}
		if err = content.Digest(ctx, h.hash, f); err != nil {
			return side, stopped(ctx, err)
		}
	}
	if !j.Run.Job.Hashes.OfDest {
		now, err := vfs.Stat(src)
		if err == nil && !vfs.PremiseOf(attr).Holds(now) {
			err = errChangedBeforeHash
		}
		if err != nil {
			return pairs.Source, err
		}
	}
	h.hash.Record(d.Path(it.name), attr)
	return 0, nil
}

// stopped returns err, or job.ErrStopped if err says that ctx is done.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return job.ErrStopped
	}
	return err
}

// hashCurrent records, if requested, the hash of a file that the destination has without copying. attr holds the
// attributes of the source.
func hashCurrent(ctx context.Context, j *job.Worker, d *job.Dir, it *item, attr vfs.Attr) {
	if j.Run.Job.Hashes.New == nil || j.Run.Job.DryRun || j.Run.Job.Compare || !attr.Mode.IsRegular() {
		return
	}
	side, err := pairs.Source, error(nil)
	var src vfs.File
	if !j.Run.Job.Hashes.OfDest {
		src, err = j.Run.Open(d, it.name)
	}
	if err == nil {
		side, err = new(sourceHash).record(ctx, j, d, it, src, attr)
	}
	if src != nil {
		vfs.CloseUnwritten(src)
	}
	if err != nil {
		j.Fail(d, side, it.name, err)
	}
}

package place

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// ErrMismatch says that a file does not read back as it was written, although it was written twice.
var ErrMismatch = errors.New("what was read back is not what was written, and neither was it when it was copied once more")

// verify reads back what was copied from from to the file t, which is open as dst, and compares it. If it differs, it
// is copied again. If the source has changed in the meantime, that is the reason, and verify does what
// ensureUnchanged does.
func verify(ctx context.Context, j *job.Worker, d *job.Dir, t target, dst vfs.File, from Source, o *Outcome) error {
	if !j.Run.Job.Verify {
		return nil
	}
	if d.DstVolume.Network {
		// The server may not have received everything yet, and may not accept it.
		if err := content.Sync(dst); err != nil {
			return err
		}
	}
	for again := 0; ; again++ {
		same, err := readsBack(ctx, j, t, dst, from)
		if same && err == nil {
			o.Verified = true
		}
		if same || err != nil {
			return err
		}
		change, _, err := changed.Since(from.File, from.Attr, d.SrcVolume.Network)
		switch {
		case err != nil:
			return &content.ReadError{Err: err}
		case change != plan.Unchanged && again < maxVerified:
			if err := ensureUnchanged(ctx, j, d, dst, from, o); err != nil || o.Partial {
				return err
			}
		case again > 0:
			return ErrMismatch
		default:
			o.Mismatched = true
			if err := recopy(ctx, j, d, dst, from); err != nil {
				return err
			}
		}
	}
}

// maxVerified is how often a file whose change time keeps changing is verified.
const maxVerified = 3

// readsBack opens the file t, which is also open as dst, for reading, and compares it with from.
func readsBack(ctx context.Context, j *job.Worker, t target, dst vfs.File, from Source) (bool, error) {
	back, err := t.Dir.OpenFile(t.Name, vfs.ReadOnly, 0)
	if errors.Is(err, fs.ErrPermission) {
		back, err = openForReading(t, dst)
	}
	if err != nil {
		return false, err
	}
	defer vfs.CloseUnwritten(back)
	return j.Copier.ReadsBack(ctx, back, from.File, from.Attr)
}

// openForReading opens the file t, which is also open as dst, although its mode does not let its owner read it.
func openForReading(t target, dst vfs.File) (back vfs.File, err error) {
	attr, err := vfs.Stat(dst)
	if err != nil {
		return nil, err
	}
	if err = vfs.Chmod(dst, attr.Mode|0o400); err != nil {
		return nil, err
	}
	back, err = t.Dir.OpenFile(t.Name, vfs.ReadOnly, 0)
	return back, vfs.JoinErrors(err, vfs.Chmod(dst, attr.Mode))
}

// cloneReadsBack reports whether a clone, which is open for reading, has the contents of from. Without Verify it
// returns true.
func cloneReadsBack(ctx context.Context, j *job.Worker, clone vfs.File, from Source, o *Outcome) bool {
	if !j.Run.Job.Verify {
		return true
	}
	same, err := j.Copier.ReadsBack(ctx, clone, from.File, from.Attr)
	o.Verified = same && err == nil
	o.Mismatched = !same && err == nil
	return o.Verified
}

package place

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/engine/changed"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var errChangedLeftOut = errors.New("changed while it was copied, so it was left out")

// ensureUnchanged checks that from has not changed while it was copied to dst. If only its change time differs, it
// copies the file again, since the contents may have changed too. If the file keeps changing, the copy is partial and
// must get a modification time that no later run considers current; if later runs do not compare times,
// ensureUnchanged returns an error. A source that does not answer, as when its connection is lost, has not
// necessarily changed; that is also an error.
func ensureUnchanged(ctx context.Context, j *job.Worker, d *job.Dir, dst vfs.File, from Source, o *Outcome) error {
	for again := 0; ; again++ {
		change, now, err := changed.Since(from.File, from.Attr, d.SrcVolume.Network)
		if err != nil {
			return &content.ReadError{Err: err}
		}
		switch j.Run.Job.Policy.AfterCopy(change, again) {
		case plan.Complete:
			return nil
		case plan.CopyAgain:
			from.Attr.Ctime = now.Ctime
			if err := recopy(ctx, j, d, dst, from); err != nil {
				return err
			}
		case plan.Discard:
			o.Partial = true
			return &content.ReadError{Err: errChangedLeftOut}
		default:
			o.Partial = true
			return nil
		}
	}
}

// recopy copies the contents of from again.
func recopy(ctx context.Context, j *job.Worker, d *job.Dir, dst vfs.File, from Source) error {
	j.Copier.Quiet = true // the statistics count it only once
	defer func() { j.Copier.Quiet = false }()
	return j.Copier.Overwrite(ctx, dst, from.File, from.Attr, d.Route)
}

package engine

import (
	"context"
	"errors"
	"time"

	"psync/internal/content"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errChangedDuringCopy = errors.New("changed while it was copied, so the copy may be a mixture; the next sync copies it again")
	errChangedLeftOut    = errors.New("changed while it was copied, so it was left out")
	errChangedCompared   = errors.New("changed while it was compared")
)

// A change is what the attributes of a file say about its contents.
type change uint8

const (
	unchanged       change = iota
	changeTime             // only the change time differs: the contents may be others, with the old mtime put back
	changedContents        // the size or the modification time differs
)

// changeOf compares the attributes of a file to what they were.
func changeOf(was, now vfs.Attr) change {
	switch {
	case now.Size != was.Size || !now.Mtime.Equal(was.Mtime):
		return changedContents
	case now.Ctime != was.Ctime:
		return changeTime
	}
	return unchanged
}

// mayRemove reports whether an entry of the source still is what was copied. Its change time
// may have moved if it has got or lost a name: this run may have done that.
func mayRemove(was, now vfs.Attr) bool {
	if now.Mode.Type() != was.Mode.Type() {
		return false
	}
	c := changeOf(was, now)
	return c == unchanged || c == changeTime && now.Nlink != was.Nlink
}

// recopies is how often a file is copied again because its change time moved, as it does
// when somebody gives the file another owner, another mode or another name.
const recopies = 2

// copyUnchanged looks whether from changed while it was copied to dst. If only its change time
// moved, the file is copied again, since its contents may have changed, too. If it keeps
// changing, the copy gets a time by which no later run can take it for current; if times do not
// count, that is an error.
func (w *worker) copyUnchanged(ctx context.Context, d *directory, dst vfs.File, from origin, o *desired) error {
	far := d.srcVolume.Device.Network
	for again := 0; ; again++ {
		now, err := statChange(from, far)
		if err == nil {
			switch changeOf(from.attr, now) {
			case unchanged:
				return nil
			case changeTime:
				if again < recopies {
					from.attr.Ctime = now.Ctime
					if err := w.recopy(ctx, d, dst, from); err != nil {
						return err
					}
					continue
				}
			}
		}
		w.unsteady, w.flawed = true, true
		o.want.Mtime = time.Unix(0, 0)
		if w.Policy.IgnoreExisting || w.Policy.SizeOnly {
			return &content.ReadError{Err: errChangedLeftOut}
		}
		return nil
	}
}

// statChange returns what from.attr has to be compared to. The answer of a network file system may be
// some seconds old: a file that took more than one read to copy is asked for anew.
func statChange(from origin, far bool) (vfs.Attr, error) {
	if c, ok := from.File.(vfs.ChangeStater); ok && far {
		return c.StatChange(from.attr.Size > content.FarBuffer)
	}
	return from.Stat()
}

// unchangedSince reports whether a file of the source still has the attributes that it had before it was compared.
func (w *worker) unchangedSince(d *directory, src vfs.File, attr vfs.Attr) (bool, error) {
	now, err := statChange(origin{src, attr}, d.srcVolume.Device.Network)
	same := err == nil && changeOf(attr, now) == unchanged
	if err == nil && !same && w.Compare {
		err = errChangedCompared
	}
	if err != nil {
		err = &content.ReadError{Err: err}
	}
	return same, err
}

// recopy copies the contents of from once more. The statistics do not count that.
func (w *worker) recopy(ctx context.Context, d *directory, dst vfs.File, from origin) error {
	inHand, cutoff := w.inHand, w.copier.Cutoff
	w.copier.Cutoff = 0
	err := w.copier.Overwrite(ctx, dst, from.File, from.attr, d.route)
	w.copier.Cutoff = cutoff
	w.count.Add(report.BytesCopied, inHand-w.inHand)
	w.inHand = inHand
	return err
}

package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// removeOperands removes the operands in d, and puts tasks to remove those that are directories.
func (w *worker) removeOperands(ctx context.Context, d *directory) {
	rm := d.removal
	if attr, err := d.Dst.Lstat("."); err == nil {
		d.destAttr = attr
		d.dstVolume = w.volumes.Of(d.Dst, attr)
		d.farDest = d.dstVolume.Network
	}
	var dirs []*removal
	var others []vfs.Entry
	for _, name := range w.Sources[rm.Source].Names {
		attr, err := d.Dst.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was in another operand
		case err != nil:
			w.fail(d, pairs.Dest, name, err)
		case attr.Mode.IsDir():
			dirs = append(dirs, childRemoval(rm, name, attr.Dev))
		default:
			others = append(others, vfs.Entry{Name: name, Type: attr.Mode.Type()})
		}
	}
	for _, dir := range slices.Backward(dirs) {
		d.claim.Put(removalTask(dir))
	}
	_ = w.share(ctx, d, others) // the worker that removes the last entry sees that ctx has ended
}

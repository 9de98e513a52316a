package engine

import (
	"context"
	"errors"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// errGrants says that a file must not get rights for contents that nobody has looked at.
var errGrants = errors.New("its contents may be those of somebody else")

// mayGrant reports whether a file of the destination, which is taken for current by size and time,
// may get the set-id bits or capabilities of o as it is. That takes equal contents, and not even they
// suffice if it was somebody else's, who may still have it mapped: it is copied anew then.
// A volume that may not keep the owner would have it copied by each run, so there they suffice.
func (w *worker) mayGrant(ctx context.Context, d *directory, it *item, attr vfs.Attr, o *outfit) bool {
	if d.dstVolume.KeepsAttrs && w.mustNotStay(it, o) {
		return false
	}
	same, _, err := w.sameContents(ctx, d, it.name, attr, attr.Size)
	return err == nil && same
}

// mustNotStay reports whether a file of the destination must be replaced by a new one rather than be
// written in place: it gets rights, and somebody else may have it open.
func (w *worker) mustNotStay(it *item, o *outfit) bool {
	return it.there.Mode.IsRegular() && w.Keep.Privileges(&o.want) &&
		metadata.SomebodyElses(&o.want, &metadata.State{Attr: it.there})
}

package engine

import (
	"context"
	"errors"

	"psync/internal/engine/attrs"
	"psync/internal/vfs"
)

// errGrants says that a file must not get set-id bits or capabilities, because its contents were not
// compared or may be changed by somebody else.
var errGrants = errors.New("its contents may be those of somebody else")

// mayGrantPrivileges reports whether a file of the destination that is up to date by size and time may
// get the set-id bits or capabilities of o in place. Its contents must equal those of the source, and
// if another user could write to it, who may still have it open or mapped, it must be copied anew.
// On a volume that may not keep the owner, every run would copy it, so equal contents are enough.
func (w *worker) mayGrantPrivileges(ctx context.Context, d *directory, it *item, attr vfs.Attr, o *attrs.Desired) bool {
	if d.dstVolume.KeepsAttrs && w.attrs.MustReplace(it.there, o) {
		return false
	}
	same, _, err := w.sameContents(ctx, d, it.name, attr, attr.Size)
	return err == nil && same
}

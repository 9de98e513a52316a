package entry

import (
	"context"
	"errors"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// errGrants says that a file must not get set-id bits or capabilities, because its contents were not compared or
// another user may change them.
var errGrants = errors.New("its contents may be those of somebody else")

// mayGrantPrivileges reports whether a file of the destination that is current by size and time may get the set-id
// bits or capabilities of o in place.
func mayGrantPrivileges(ctx context.Context, j *job.Worker, d *job.Dir, it *item, attr vfs.Attr, o *attrs.Desired) bool {
	if plan.Grant(j.Keep, &o.Want, it.there, d.DstVolume.KeepsAttrs) == plan.Transfer {
		return false
	}
	same, _, err := sameContents(ctx, j, d, it.name, attr, attr.Size)
	return err == nil && same
}

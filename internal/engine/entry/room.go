package entry

import (
	"psync/internal/engine/job"
	"psync/internal/engine/place"
	"psync/internal/plan"
)

// mayNotFit is the size in bytes from which it pays to find out whether a file fits before it is written.
const mayNotFit = 8 << 20

// checkRoom returns a *job.NoRoomError if a file that is made as e and method specify certainly does not fit. That
// can be known only if contents take as much space as their size, no blocks are shared, and the run does not free
// space itself. Network file systems are not checked, because that would take a round trip.
func checkRoom(j *job.Worker, d *job.Dir, e place.Entry, from place.Source, method plan.Method) error {
	need := job.Allocation(from.Attr)
	if need < mayNotFit || d.DstVolume.Network || method == plan.Rewrite || e.Patch || j.Run.Job.Delete.On ||
		from.Attr.Dev == d.DestAttr.Dev {
		return nil
	}
	v, err := d.Dst.Statfs()
	room := v.Space
	if err != nil || room == nil || !room.Plain || need <= room.Free+room.Reserved {
		return nil
	}
	return &job.NoRoomError{Need: need, Free: room.Free}
}

package entry

import (
	"psync/internal/content"
	"psync/internal/engine/job"
)

// longFile is the size in bytes from which a file does not hold up the other entries of a directory, and is shown while it
// is copied.
const longFile = 1 << 20

// copiedBytes counts what was copied of a file.
type copiedBytes struct {
	bytes  int64           // by the worker
	ranges *content.Ranges // others may have helped with; nil if there are none
}

// share records that others may help with r. They have finished with the previous ranges.
func (c *copiedBytes) share(r *content.Ranges) {
	c.bytes = c.total()
	c.ranges = r
}

func (c *copiedBytes) total() int64 {
	if c.ranges == nil {
		return c.bytes
	}
	return c.bytes + c.ranges.Helped()
}

// rangesFrom returns the size in bytes from which several workers copy files of d, or 0 if none are copied that way.
func rangesFrom(j *job.Worker, d *job.Dir) int64 {
	switch {
	case j.Run.Job.Policy.Append:
		return 0 // a file that is not complete must be a beginning of the source
	case j.Run.Job.AlwaysShare && j.Run.Job.Streams > 1:
		return 2 // a single byte has no ranges
	case j.Run.Job.Streams < 2 || j.Run.Job.StreamsFar && !j.Run.IsFar(d):
		return 0
	}
	return j.Run.Job.Cutoff
}

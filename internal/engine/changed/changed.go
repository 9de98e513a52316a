// Package changed detects whether a file changes while it is read.
package changed

import (
	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Since returns what has changed in a file since it had the attributes was, and its current attributes, of which only
// those that detect a change (size, modification time, change time) are certain to be set. far says that the file is
// on a network file system: there, cached attributes may be some seconds old, so the server is queried for a file
// that took more than one read.
func Since(f vfs.File, was vfs.Attr, far bool) (plan.Change, vfs.Attr, error) {
	now, err := stat(f, was, far)
	if err != nil {
		return plan.ContentsChanged, now, err
	}
	return plan.ChangeOf(was, now), now, nil
}

func stat(f vfs.File, was vfs.Attr, far bool) (vfs.Attr, error) {
	switch {
	case !far:
		return vfs.Stat(f)
	case was.Size > content.FarBuffer:
		return f.Statx(vfs.StatxFresh)
	}
	return f.Statx(vfs.StatxChange)
}

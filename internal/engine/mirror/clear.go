package mirror

import (
	"context"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

// Clear empties the directory called name in d so that something else can take its place, which is why, and reports
// whether that succeeded. It is rarely needed and therefore not parallel.
func Clear(ctx context.Context, j *job.Worker, d *job.Dir, why *Premise, name string) (empty bool) {
	dir, err := OpenDir(d.Dst, name, j.Run.Job.Delete.CrossMounts)
	if err != nil {
		failDir(j, d, why, name, err)
		return false
	}
	defer dir.Close()
	sub, err := below(j, d, name, dir)
	if err == nil {
		err = mayEmpty(j, sub.DestAttr, d.DestAttr.Dev)
	}
	if err != nil {
		if err != ErrInUse {
			failDir(j, d, why, name, err)
		}
		return false
	}
	defer sub.Close()
	allow(j, sub)
	defer func() { j.Run.Lifter.RestoreAt(sub.Lifted, sub.Dst, ".") }() // rmdir lifts the locks again
	var entries []vfs.Entry
	err = sub.Dst.ReadDir(func(some []vfs.Entry) error {
		for _, e := range some {
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	empty = err == nil
	if !empty {
		failDir(j, d, why, name, err)
	}
	for _, e := range entries {
		switch {
		case ctx.Err() != nil:
			return false
		case isKept(j, sub, e):
			empty = false
		case e.Type.IsDir():
			empty = Clear(ctx, j, sub, why, e.Name) && rmdir(j, sub, why, e.Name) && empty
		default:
			empty = RemoveEntry(ctx, j, sub, why, e) && empty
		}
	}
	return empty
}

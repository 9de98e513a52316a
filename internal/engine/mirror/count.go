package mirror

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/vfs"
)

// Count counts an entry of d that will be removed, with everything in it, in the budget, and reports whether it will
// be gone: a directory that contains a kept entry stays.
func Count(ctx context.Context, j *job.Worker, d *job.Dir, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		job.BudgetOf(j.Run, d).AddExtraneous()
		return !j.Run.Job.Backup.On || !j.Run.Job.Backup.InPlace() // otherwise it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dir, err := OpenDir(d.Dst, e.Name, j.Run.Job.Delete.CrossMounts)
	if err != nil {
		// Nothing will be removed from such a directory either.
		if !errors.Is(err, vfs.ErrMount) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			job.BudgetOf(j.Run, d).SetUncounted()
		}
		return false
	}
	defer dir.Close()
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		job.BudgetOf(j.Run, d).SetUncounted()
		return false
	}
	if mayEmpty(j, attr, d.DestAttr.Dev) != nil {
		return false
	}
	sub := at(d, d.Position(e.Name).Path(), dir)
	sub.DestAttr, sub.Left.Counted = attr, d.Left.Counted
	if readRules(j, sub, d.InForce().Dest) != nil {
		return false // the same error keeps it from being emptied
	}
	entries, goes := extraneousIn(j, sub)
	for _, e := range entries {
		goes = Count(ctx, j, sub, e) && goes
	}
	if goes {
		job.BudgetOf(j.Run, d).AddExtraneous()
	}
	return goes
}

// extraneousIn returns the entries of d except those that are kept, and reports whether none is kept.
func extraneousIn(j *job.Worker, d *job.Dir) (entries []vfs.Entry, all bool) {
	all = true
	err := d.Dst.ReadDir(func(some []vfs.Entry) error {
		job.BudgetOf(j.Run, d).AddTotal(len(some))
		for _, e := range some {
			if isKept(j, d, e) {
				all = false
				continue
			}
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	if err != nil {
		job.BudgetOf(j.Run, d).SetUncounted()
	}
	return entries, all
}

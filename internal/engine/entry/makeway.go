package entry

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var errNotEmpty = errors.New("a directory that is not empty is in the way")

// makeWay ensures that an entry can take its place where the destination has a directory: that must be empty, or is
// emptied. It is called when the entry is complete but still under another name. It returns errDone if that is
// deferred.
func makeWay(ctx context.Context, j *job.Worker, d *job.Dir, it *item) error {
	if it.step != plan.ReplaceDir || j.Run.Job.Compare {
		return nil
	}
	err := wantEmpty(d.Dst, it.name)
	again := d.Task.Kind != job.Copy
	if again && j.Run.Job.Policy.AwaitsLinks() {
		if err := j.Run.CheckDirlinkTarget(d, it.name); err != nil {
			return err
		}
	}
	if err != nil && !errors.Is(err, errNotEmpty) {
		return err
	}
	switch j.Run.Job.Policy.Clearing(err == nil, again) {
	case plan.ClearLater:
		if j.Run.Job.Delete.Max != nil {
			mirror.Count(ctx, j, d, vfs.Entry{Name: it.name, Type: fs.ModeDir})
		}
		j.Run.DeferReplacement(d, it.name)
		it.deferred = true
		return errDone
	case plan.Clear:
		switch {
		case mirror.Clear(ctx, j, d, &mirror.Premise{Name: it.name, Replaces: true, In: d, Src: d.Src}, it.name):
			return nil
		case ctx.Err() != nil:
			return job.ErrStopped
		}
	}
	return err
}

// makeWayFirst calls makeWay before anything is made where nothing will be made, or where that is unlikely to succeed.
func makeWayFirst(ctx context.Context, j *job.Worker, d *job.Dir, it *item) error {
	if j.Run.Job.DryRun || j.Run.DefersRemovals(d) || j.Run.Job.Backup.On && j.Run.Job.Backup.InPlace() {
		return makeWay(ctx, j, d, it)
	}
	return nil
}

// wantEmpty returns an error if the directory called name in dst is not empty.
func wantEmpty(dst vfs.Dir, name string) error {
	sub, err := dst.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return err
	}
	defer sub.Close()
	return sub.ReadDir(func([]vfs.Entry) error { return errNotEmpty })
}

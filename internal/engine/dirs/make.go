package dirs

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/journal"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

var (
	errNotDir            = errors.New("exists and is not a directory; nothing in it was copied")
	errSourceNoLongerDir = errors.New("is no longer a directory")
	errLeftOut           = errors.New("exists and is not a directory, and --ignore-existing leaves it alone; nothing in it was copied")
)

// IsMount reports whether a directory is on another file system than d.
func IsMount(j *job.Worker, d *job.Dir, e vfs.Entry) bool {
	attr, err := j.Stat(d, e)
	return err == nil && attr.Dev != d.Attr.Dev
}

// Make makes sure that the destination has a directory called name, and reports whether it is new and whether
// copying can continue inside. If async is true, a failure to make the directory may show only when it is opened;
// pending reports that.
func Make(ctx context.Context, j *job.Worker, d *job.Dir, src vfs.Entry, name string, async bool) (fresh, pending, ok bool) {
	there, err := j.Lookup(d, name)
	if err != nil {
		j.FailDir(d, pairs.Dest, name, err)
		return false, false, false
	}
	isLink := there.Mode.Type() == fs.ModeSymlink
	if (j.Run.Job.Policy.FollowsDest(there.Mode) || isLink && j.Run.IsImplied(d, name)) && job.LeadsToDir(d.Dst, name) {
		j.Run.AddDirlink(d, name)
		there.Mode = fs.ModeDir
	}
	action := j.Run.Job.Policy.Entry(fs.ModeDir, there.Mode)
	if action == plan.NotDir && wasCopied(j, d, name) {
		action = plan.ReplaceWithDir
	}
	if action == plan.ReplaceWithDir && j.Run.IsImplied(d, name) {
		action = plan.NotDir
	}
	switch action {
	case plan.Descend:
		return false, false, true
	case plan.Leave:
		j.Emit(d, src.Facts, report.Event{Kind: report.Omit, Name: name, IsDir: true, Why: report.NotInDest})
		return false, false, false
	case plan.NotDir:
		j.FailDir(d, pairs.Dest, name, errNotDir)
		return false, false, false
	case plan.KeptNotDir:
		j.FailDir(d, pairs.Dest, name, errLeftOut)
		return false, false, false
	}
	if !j.Run.Job.DryRun {
		var side pairs.Side
		if pending, side, err = mkdir(ctx, j, d, src, name, action, async); err != nil {
			if AwaitMade(j, d) == nil { // otherwise the failure is that of d
				j.FailDir(d, side, name, err)
			}
			return false, false, false
		}
	}
	if !pending {
		Made(j, d, src.Facts, name)
	}
	return true, pending, true
}

// wasCopied reports whether the run goes on with one that has copied the directory called name in d. What is there instead of
// its copy has come since.
func wasCopied(j *job.Worker, d *job.Dir, name string) bool {
	p := j.Run.Job.Progress
	return p != nil && p.Recorded(j.Run.Job.Journal.Key.Child(d.Task.ID, name))
}

// LeavesOut reports whether --existing leaves out a source because the destination, which has the attributes dest, lacks
// the directory that it would be copied to. The journal, which knows all sources, records that nothing of it is left to do.
func LeavesOut(j *job.Worker, source int, dest vfs.Attr) bool {
	into := j.Run.Job.Sources[source].Into
	if !j.Run.Job.Policy.Existing || into == "" || j.Run.Job.Sources[source].Err != nil {
		return false
	}
	d := (&job.Dir{Task: job.Task{Source: source}, DestAttr: dest}).Open(pairs.Pair{Dst: j.Run.Job.Dest})
	if there, err := j.Lookup(d, into); err != nil || there.Mode != plan.Absent {
		return false
	}
	if log := j.Run.Job.Journal; log != nil && !j.Run.Job.DryRun {
		id := log.Key.Root(source)
		j.Run.Job.Progress.AddPresent(1)
		log.Directory(&journal.Directory{ID: id, Repeated: j.Run.Job.Progress.Recorded(id)})
	}
	return true
}

func mkdir(ctx context.Context, j *job.Worker, d *job.Dir, src vfs.Entry, name string, action plan.Action, async bool) (pending bool, side pairs.Side, err error) {
	attr, err := j.Stat(d, src)
	if err != nil {
		return false, pairs.Source, err
	}
	j.PrepareChange(d)
	perm := j.Attrs.WorkMode(d.Volumes(), d.Src, src, attr)
	if j.Run.IsImplied(d, name) {
		perm = j.Run.Job.ImpliedMode
	}
	switch {
	case action == plan.ReplaceWithDir:
		side, err = replaceWithDir(ctx, j, d, src.Name, name, perm)
		return false, side, err
	case async && d.FarDest && d.Dst.Caps().Has(vfs.CanMkdirAsync):
		return true, pairs.Dest, j.Collision(d, d.Dst.Make(name, vfs.Spec{Mode: fs.ModeDir | perm, Async: true}))
	}
	err = vfs.Mkdir(d.Dst, name, perm)
	if errors.Is(err, fs.ErrExist) && src.Name == "." && j.Run.Job.Peers != nil {
		if there, wrong := vfs.Lstat(d.Dst, name); wrong == nil && there.Mode.IsDir() {
			return false, 0, nil // another host has made the root
		}
	}
	return false, pairs.Dest, j.Collision(d, err)
}

// replaceWithDir puts a directory in the place of something else, which it removes only when the directory exists.
func replaceWithDir(ctx context.Context, j *job.Worker, d *job.Dir, srcName, name string, perm fs.FileMode) (pairs.Side, error) {
	temp := j.Run.NewTemp()
	if err := vfs.Mkdir(d.Dst, temp, perm); err != nil {
		return pairs.Dest, err
	}
	attr, err := j.Stat(d, vfs.Entry{Name: srcName}) // which may have been replaced by now, and copied by another run
	if err == nil && !attr.Mode.IsDir() {
		err = errSourceNoLongerDir
	}
	if err != nil {
		return pairs.Source, vfs.JoinErrors(err, j.Run.RemoveTempDir(d, temp))
	}
	if err = mirror.RemoveOrBackUp(ctx, j, d, name); err == nil {
		err = j.Run.Lifter.Rename(d.Dst, temp, d.Dst, name)
	}
	if err != nil {
		return pairs.Dest, vfs.JoinErrors(err, j.Run.RemoveTempDir(d, temp))
	}
	return 0, nil
}

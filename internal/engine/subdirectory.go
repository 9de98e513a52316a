package engine

import (
	"context"
	"strings"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/journal"
	"psync/internal/vfs"
)

// subdirectories makes the directories among entries and puts a task for each at once, so other workers can start on
// it.
func (w *worker) subdirectories(ctx context.Context, d *directory, entries []vfs.Entry, far *emptyDirsFar) {
	if d.Task.Kind == job.Clear {
		return
	}
	var empty emptyDirs
	for _, e := range entries {
		if !e.Type.IsDir() || ctx.Err() != nil {
			continue
		}
		id, done := identify(w.job, d, e.Name)
		if done {
			continue
		}
		if far.copy(e) {
			continue
		}
		fresh, complete := empty.copy(w, d, e.Name)
		if complete {
			d.recorded.empty++
			continue
		}
		late := false
		if !fresh {
			var ok bool
			// A directory that needs no work inside is not opened, so it would not report that it could not be made.
			fresh, late, ok = dirs.Make(ctx, w.job, &d.Dir, e, e.Name, !w.job.Run.Job.OneFileSystem)
			if !ok || w.job.Run.Job.OneFileSystem && dirs.IsMount(w.job, &d.Dir, e) {
				continue
			}
		}
		var madeIn *job.DirInfo
		if late {
			madeIn = d.DirInfo
		}
		putSubdirectory(w.job, d, e.Name, id, fresh, madeIn)
	}
	far.send()
}

// putSubdirectory puts the task of a subdirectory of d.
func putSubdirectory(j *job.Worker, d *directory, name string, id journal.ID, fresh bool, madeIn *job.DirInfo) {
	d.Subdirs = true
	d.Task.Dirs.Retain()
	name = strings.Clone(name) // otherwise the name would keep the whole listing in memory
	recordChild(j, d, name)
	dirs := d.Task.Dirs.Child(name)
	if j.Run.LeadsOn(&d.Dir, name) {
		dirs.FollowSource()
	}
	if j.Run.IsImplied(&d.Dir, name) {
		dirs.FollowDest()
	}
	d.claim.Put(task{Task: job.Task{
		Source:     d.Task.Source,
		Path:       vfs.Join(d.Task.Path, name),
		New:        fresh,
		MadeIn:     madeIn,
		DefaultACL: fresh && d.Inherited.HasDefaultACL(d.Dst),
		InUse:      d.Task.InUse,
		ID:         id,
		Dirs:       dirs,
		Lineage:    d.Lineage,
		Original:   d.Original,
		Rules:      d.Rules,
	}})
}

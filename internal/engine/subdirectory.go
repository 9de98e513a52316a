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
func (w *worker) subdirectories(ctx context.Context, c *dirClaim, entries []vfs.Entry, far *emptyDirsFar) {
	d := c.dir
	if d.Task.Kind == job.Clear || d.Task.Bundle.StaysWhole() {
		return
	}
	var empty emptyDirs
	for _, e := range entries {
		if !e.Type.IsDir() || ctx.Err() != nil {
			continue
		}
		id, done := identify(w.job, c, e.Name)
		if done {
			continue
		}
		if far.copy(e) {
			continue
		}
		fresh, complete := empty.copy(w, d, e.Name)
		if complete {
			c.recorded.empty++
			continue
		}
		pending := false
		if !fresh {
			var ok bool
			// A directory that needs no work inside is not opened, so it would not report that it could not be made.
			fresh, pending, ok = dirs.Make(ctx, w.job, d, e, e.Name, !w.job.Run.Job.OneFileSystem)
			if !ok || job.StaysOnFileSystem(w.job.Run, d) && dirs.IsMount(w.job, d, e) {
				continue
			}
		}
		var madeIn *job.Dir
		if pending {
			madeIn = d
		}
		putSubdirectory(w.job, c, e.Name, id, fresh, madeIn)
	}
	far.send()
}

// putSubdirectory puts the task of a subdirectory of c.dir.
func putSubdirectory(j *job.Worker, c *dirClaim, name string, id journal.ID, fresh bool, madeIn *job.Dir) {
	d := c.dir
	d.Subdirs = true
	recordChild(j, c, strings.Clone(name)) // otherwise the name would keep the whole listing in memory
	if d.Task.Bundle.Leaves(job.Key{Source: d.Task.Source, Path: vfs.Join(d.Task.Path, name)}) {
		return
	}
	d.Task.Dirs.Retain()
	t := dirs.Child(j, d, name)
	t.New, t.MadeIn, t.ID = fresh, madeIn, id
	t.DefaultACL = fresh && d.Inherited.HasDefaultACL(d.Dst)
	t.Bundle.Add(1)
	job.Expect(j.Run, d, name)
	c.claim.Put(task{Task: t})
}

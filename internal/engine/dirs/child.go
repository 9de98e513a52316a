package dirs

import (
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// Child returns the task to copy the directory called name in d, as far as it is known from d.
func Child(j *job.Worker, d *job.Dir, name string) job.Task {
	name = strings.Clone(name) // otherwise the name would keep the whole listing in memory
	node := d.Task.Dirs.Child(name)
	if j.Run.IsListedDir(d, name) {
		node.FollowSource()
	}
	if j.Run.IsImplied(d, name) {
		node.FollowDest()
	}
	return job.Task{
		Source:   d.Task.Source,
		Path:     vfs.Join(d.Task.Path, name),
		InUse:    d.Task.InUse,
		Dirs:     node,
		Bundle:   d.Task.Bundle,
		Lineage:  d.Task.Lineage,
		Original: d.Task.Original,
		Rules:    d.Task.Rules,
	}
}

// Descend returns the task to copy the directory at a path below root, which begins as if its parents had been copied: with
// their rules, for instance. It is not a task in a new directory, whatever the destination has. The error, with a side, says
// that a parent cannot be looked at.
func Descend(j *job.Worker, root job.Task, path string) (t job.Task, side pairs.Side, err error) {
	t = root
	if path == "" {
		t.Dirs.Reenter()
		return t, 0, nil
	}
	for name := range strings.SplitSeq(path, "/") {
		d := j.Run.NewDir(t)
		if err == nil && inheritsMore(j, t) {
			side, err = inherit(j, d)
		}
		id := t.ID
		t = Child(j, d, name)
		if j.Run.Job.Journal != nil {
			t.ID = j.Run.Job.Journal.Key.Child(id, name)
		}
	}
	t.Dirs.Reenter()
	return t, side, err
}

// inheritsMore reports whether directories inherit more from the one of a task than what the task has.
func inheritsMore(j *job.Worker, t job.Task) bool {
	o := &j.Run.Job.Options
	return t.Rules != nil || o.Links.Follows() || o.Backup.On || o.TempDir != nil || len(o.Alternatives.Dirs) > 0
}

// inherit adds to the task of d what directories in d inherit. It changes nothing in the destination.
func inherit(j *job.Worker, d *job.Dir) (side pairs.Side, err error) {
	p, side, err := d.Task.Dirs.Use()
	if err != nil {
		return side, err
	}
	defer d.Task.Dirs.Done()
	d.Open(p)
	defer d.Close()
	if d.Attr, err = vfs.Lstat(d.Src, "."); err != nil {
		return pairs.Source, err
	}
	if j.Run.Job.Links.Follows() {
		d.Task.Lineage = d.Task.Lineage.Child(d.Attr.ID())
	}
	if d.DestAttr, err = vfs.Lstat(d.Dst, "."); err != nil {
		return pairs.Dest, err
	}
	d.Task.InUse = d.Task.InUse || j.Run.InUse.Has(d.DestAttr.ID())
	d.Task.Original = j.Run.Backups.Original(d.DestAttr, d.DestAttr.Mode, d.Task.Original)
	return ReadRules(j, d)
}

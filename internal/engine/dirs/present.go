package dirs

import (
	"io/fs"
	"slices"

	"psync/internal/engine/job"
	"psync/internal/journal"
	"psync/internal/vfs"
)

// Present describes the subdirectories that a directory of the destination has from earlier runs.
type Present struct {
	Found journal.Subdirs
	Done  []journal.ID // sorted; those that were completed with everything below
}

// FindPresent lists the destination of d once, so the number of calls does not depend on how many directories in it are
// done. A destination that cannot be listed counts as empty.
func FindPresent(j *job.Worker, d *job.Dir) *Present {
	l := new(Present)
	if d.Dst == nil || d.Fresh() {
		return l
	}
	_ = d.Dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if !e.Type.IsDir() {
				continue
			}
			id := j.Run.Job.Journal.Key.Child(d.Task.ID, e.Name)
			l.Found.Count(j.Run.Job.Progress, id)
			if j.Run.Job.Progress.State(id) == journal.Done {
				l.Done = append(l.Done, id)
			}
		}
		return nil
	})
	slices.SortFunc(l.Done, journal.ID.Compare)
	return l
}

// Has reports whether the destination of d has the directory called name, whose identifier is id. Directories made by this
// run, and those within them, do not count.
func (l *Present) Has(j *job.Worker, d *job.Dir, id journal.ID, name string) bool {
	if _, listed := slices.BinarySearchFunc(l.Done, id, journal.ID.Compare); listed {
		return true
	}
	// The destination may spell the name differently, or have a link in place of the directory.
	there, err := j.Lookup(d, name)
	if err == nil && there.Mode.Type() == fs.ModeSymlink {
		return (j.Run.Job.Policy.FollowsDest(there.Mode) || j.Run.IsImplied(d, name)) && job.LeadsToDir(d.Dst, name)
	}
	return err == nil && there.Mode.Type() == fs.ModeDir
}

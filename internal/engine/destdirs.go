package engine

import (
	"io/fs"
	"slices"

	"psync/internal/engine/job"
	"psync/internal/journal"
	"psync/internal/vfs"
)

// destDirs describes the subdirectories of one directory of the destination.
type destDirs struct {
	found journal.Subdirs
	done  []journal.ID // sorted; those that earlier runs completed with everything below
}

// listDestDirs lists the destination of d once, so the number of calls does not depend on how many directories in it
// are done. A destination that cannot be listed counts as empty.
func listDestDirs(j *job.Worker, d *directory) *destDirs {
	if d.recorded.dest != nil {
		return d.recorded.dest
	}
	l := new(destDirs)
	d.recorded.dest = l
	if d.Dst == nil || d.Fresh() {
		return l
	}
	_ = d.Dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if !e.Type.IsDir() {
				continue
			}
			id := j.Run.Job.Journal.Key.Child(d.Task.ID, e.Name)
			l.found.Count(j.Run.Job.Progress, id)
			if j.Run.Job.Progress.State(id) == journal.Done {
				l.done = append(l.done, id)
			}
		}
		return nil
	})
	slices.SortFunc(l.done, journal.ID.Compare)
	return l
}

// isInDest reports whether the destination of d has the directory called name, whose identifier is id. Directories
// made by this run, and those within them, do not count.
func isInDest(j *job.Worker, d *directory, id journal.ID, name string) bool {
	if _, listed := slices.BinarySearchFunc(listDestDirs(j, d).done, id, journal.ID.Compare); listed {
		return true
	}
	// The destination may spell the name differently, or have a link in place of the directory.
	there, err := j.Lookup(&d.Dir, name)
	if err == nil && there.Mode.Type() == fs.ModeSymlink {
		return (j.Run.Job.Policy.FollowsDest(there.Mode) || j.Run.IsImplied(&d.Dir, name)) && job.LeadsToDir(d.Dst, name)
	}
	return err == nil && there.Mode.Type() == fs.ModeDir
}

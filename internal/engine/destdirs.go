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

// listDestDirs lists the destination of c.dir once, so the number of calls does not depend on how many directories in it
// are done. A destination that cannot be listed counts as empty.
func listDestDirs(j *job.Worker, c *dirClaim) *destDirs {
	d := c.dir
	if c.recorded.dest != nil {
		return c.recorded.dest
	}
	l := new(destDirs)
	c.recorded.dest = l
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

// isInDest reports whether the destination of c.dir has the directory called name, whose identifier is id. Directories
// made by this run, and those within them, do not count.
func isInDest(j *job.Worker, c *dirClaim, id journal.ID, name string) bool {
	if _, listed := slices.BinarySearchFunc(listDestDirs(j, c).done, id, journal.ID.Compare); listed {
		return true
	}
	// The destination may spell the name differently, or have a link in place of the directory.
	there, err := j.Lookup(c.dir, name)
	if err == nil && there.Mode.Type() == fs.ModeSymlink {
		return (j.Run.Job.Policy.FollowsDest(there.Mode) || j.Run.IsImplied(c.dir, name)) && job.LeadsToDir(c.dir.Dst, name)
	}
	return err == nil && there.Mode.Type() == fs.ModeDir
}

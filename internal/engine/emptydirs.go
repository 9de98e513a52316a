package engine

import "psync/internal/report"

// mostInVain is how many subdirectories are tried whether they are empty, unless some are.
const mostInVain = 2

// emptyDirs copies subdirectories in which nothing is, each in one call, while that finds some.
type emptyDirs struct {
	asked bool // whether the directory lets us
	more  int  // how many other subdirectories may be tried
}

// copy copies the subdirectory of d called name if it is empty, unless workers are idle, which look at directories at
// the same time. One that was made but is not complete is to be completed as any other.
func (s *emptyDirs) copy(w *worker, d *directory, name string) (made, complete bool) {
	if !s.asked {
		s.asked = true
		if d.Fresh() && w.entries.FindShortcut(&d.Dir) {
			s.more = mostInVain
		}
	}
	if s.more == 0 || w.run.pool.Idle() > 0 {
		return false, false
	}
	made, complete = w.entries.CopyEmptyDir(&d.Dir, name)
	if made {
		s.more++
		dirMade(w.job, &d.Dir, name)
	} else {
		s.more-- // trying has cost a few calls
	}
	if complete {
		w.job.Count.Add(report.DirsSeen, 1)
	}
	return made, complete
}

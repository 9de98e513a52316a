package engine

import (
	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/report"
)

// maxMisses is how many subdirectories are tried without finding an empty one.
const maxMisses = 2

// emptyDirs copies empty subdirectories in one call each, while it keeps finding some.
type emptyDirs struct {
	asked bool // whether support for this was already checked
	more  int  // how many other subdirectories may be tried
}

// copy copies the subdirectory of d called name if it is empty. It does nothing while workers are idle, since they
// look at directories in parallel. A directory that was made but is not complete must be completed like any other.
func (s *emptyDirs) copy(w *worker, d *job.Dir, name string) (made, complete bool) {
	if !s.asked {
		s.asked = true
		if d.Fresh() {
			if found, _ := w.entries.FindShortcut(d); found {
				s.more = maxMisses
			}
		}
	}
	if s.more == 0 || w.run.pool.Idle() > 0 {
		return false, false
	}
	made, complete = w.entries.CopyEmptyDir(d, name)
	if made {
		s.more++
		dirs.Made(w.job, d, nil, name)
	} else {
		s.more-- // trying has cost a few calls
	}
	if complete {
		w.job.Count.Add(report.DirsSeen, 1)
	}
	return made, complete
}

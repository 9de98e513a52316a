package cli

import (
	"os"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/walk"
)

// Numbers of files that are open at the same time, for [fit].
const (
	perWorker = 6                         // two directories, two files, and two directories on the way to a directory
	reserved  = 20 + source.MaxCountDepth // standard streams, roots, and the walk that counts
	openDirs  = 160                       // idle directories on each side, and of those to be removed, if there is room
	fewDirs   = 12                        // the same, if there is no room
)

// fit returns how many workers, and how many idle directories on each side, a limit of open files allows if
// each worker opens more files than usual. If the limit is large enough, fit returns the wanted number of
// workers. It returns at least one worker, which then finds out that the limit is too low for any work.
func fit(workers, more, limit int) (fitting, dirs int) {
	for _, dirs = range []int{openDirs, fewDirs} {
		fitting = min(workers, room(dirs, more, limit))
		if fitting == workers {
			break
		}
	}
	return max(1, fitting), dirs
}

// room returns how many workers a limit of open files allows beside idle directories.
func room(dirs, more, limit int) int { return (limit - reserved - 3*dirs) / (perWorker + more) }

// resize doubles or halves the number of workers on SIGUSR1 and SIGUSR2.
func resize(workers *walk.Size, s os.Signal) {
	if s == syscall.SIGUSR1 {
		workers.Double()
	} else {
		workers.Halve()
	}
}

package cli

import "psync/internal/engine/source"

// What is open at the same time, for [fit].
const (
	perWorker = 6                         // two directories, two files, and two on the way to a directory
	reserved  = 20 + source.MaxCountDepth // standard streams, roots, the walk that counts
	openDirs  = 160                       // idle directories on each side, and of those to be removed, if there is room
	fewDirs   = 12                        // the same, if there is not
)

// fit returns how many workers, and how many idle directories on each side, a limit
// of open files allows, if each worker opens some besides: the workers wanted, if it is large enough. At least one
// worker is left to find out that the limit is too low for anything.
func fit(workers, besides, limit int) (fitting, dirs int) {
	for _, dirs = range []int{openDirs, fewDirs} {
		fitting = min(workers, room(dirs, besides, limit))
		if fitting == workers {
			break
		}
	}
	return max(1, fitting), dirs
}

// room returns how many workers a limit of open files allows beside idle directories.
func room(dirs, besides, limit int) int { return (limit - reserved - 3*dirs) / (perWorker + besides) }

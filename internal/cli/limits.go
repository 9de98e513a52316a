package cli

import "psync/internal/engine"

// What is open at the same time, for [fit].
const (
	perWorker = 6                         // two directories, two files, and two on the way to a directory
	reserved  = 20 + engine.MaxCountDepth // standard streams, roots, the walk that counts
	openDirs  = 256                       // idle directories on each side, if there is room
	fewDirs   = 16                        // the same, if there is not
)

// fit returns how many workers, and how many idle directories on each side, a limit
// of open files allows: the workers wanted, if it is large enough. At least one
// worker is left to find out that the limit is too low for anything.
func fit(workers, limit int) (fitting, dirs int) {
	for _, dirs = range []int{openDirs, fewDirs} {
		fitting = min(workers, (limit-reserved-2*dirs)/perWorker)
		if fitting == workers {
			break
		}
	}
	return max(1, fitting), dirs
}

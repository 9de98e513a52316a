package gnucp

import "psync/internal/sys"

// Of the files that may be open, a quarter is for directories that are idle. They are few enough for one worker
// to have less than 64 files open in all, and for 16 to have less than 256: when a process with several
// threads opens more, Linux waits for all processors before it goes on.
const (
	idleShare   = 4
	idleDirs    = 24
	otherFiles  = 20 // those of the process, and of looks at a volume
	workerFiles = 8  // both sides of three directories, as when one is opened for a link, and two files
)

// affordableDirs returns how many idle directories the limit of open files allows.
func affordableDirs() int {
	limit, err := sys.MaxOpenFiles()
	if err != nil {
		return idleDirs
	}
	return min(idleDirs, max(1, (limit-otherFiles)/idleShare/2))
}

// affordable returns how many workers the limit of open files allows. Two at least go on.
func affordable(threads int) int {
	limit, err := sys.MaxOpenFiles()
	if err != nil {
		return threads
	}
	return min(threads, max(2, (limit-otherFiles)*(idleShare-1)/idleShare/workerFiles))
}

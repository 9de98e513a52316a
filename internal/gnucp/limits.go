package gnucp

import "psync/internal/sys"

// A quarter of the files that may be open is reserved for idle directories. The numbers are low enough for one
// worker to have fewer than 64 files open in all, and for 16 workers to have fewer than 256: when a process
// with several threads opens more files, Linux waits for all processors before it goes on.
const (
	idleShare   = 4
	idleDirs    = 24
	otherFiles  = 20 // files of the process itself, and files opened to examine a volume
	workerFiles = 8  // both sides of three directories, as when a directory is opened for a link, and two files
)

// affordableDirs returns how many idle directories the limit of open files allows.
func affordableDirs() int {
	limit, err := sys.MaxOpenFiles()
	if err != nil {
		return idleDirs
	}
	return min(idleDirs, max(1, (limit-otherFiles)/idleShare/2))
}

// affordable returns how many workers the limit of open files allows, but at least two.
func affordable(threads int) int {
	limit, err := sys.MaxOpenFiles()
	if err != nil {
		return threads
	}
	return min(threads, max(2, (limit-otherFiles)*(idleShare-1)/idleShare/workerFiles))
}

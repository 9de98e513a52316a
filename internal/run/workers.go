package run

import (
	"fmt"
	"time"

	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/sys"
	"psync/internal/vfs/unionfs"
	"psync/internal/walk"
)

// Numbers of files that are open at the same time, for [fit].
const (
	perWorker = 6                         // two directories, two files, and two directories on the way to a directory
	reserved  = 20 + source.MaxCountDepth // standard streams, roots, and the walk that counts
	openDirs  = 160                       // idle directories on each side, and of those to be removed, if there is room
	fewDirs   = 12                        // the same, if there is no room
	minOpen   = 24                        // what one worker needs without a walk that counts, with side files and a journal
)

// fit returns how many workers, and how many idle directories on each side, a limit of open files allows if
// each worker opens more files than usual. If the limit is large enough, fit returns the wanted number of
// workers. It returns at least one worker, and if even that leaves no room, as few idle directories as needed.
func fit(workers, more, limit int) (fitting, dirs int) {
	for _, dirs = range []int{openDirs, fewDirs} {
		fitting = min(workers, room(dirs, more, limit))
		if fitting == workers {
			break
		}
	}
	if fitting < 1 {
		return 1, min(fewDirs, max(1, (limit-minOpen-more)/3))
	}
	return fitting, dirs
}

// moreSources returns how many more directories may be open on the side of the source than if no sources are merged.
func moreSources(roots *operand.Roots) (n int) {
	for _, s := range roots.Sources {
		if u, ok := s.Dir.(*unionfs.Dir); ok {
			n = max(n, len(u.Dirs())-1)
		}
	}
	return n
}

// room returns how many workers a limit of open files allows beside idle directories.
func room(dirs, more, limit int) int { return (limit - reserved - 3*dirs) / (perWorker + more) }

// checkOpenFiles returns an error if the limit of open files leaves no room for one worker.
func checkOpenFiles() error {
	if limit, err := sys.MaxOpenFiles(); err == nil && limit < minOpen {
		return &OpenFilesError{limit}
	}
	return nil
}

// An OpenFilesError says that too few files may be open for any work.
type OpenFilesError struct{ limit int }

func (e *OpenFilesError) Error() string {
	return fmt.Sprintf("only %d files may be open at a time (ulimit -n), and at least %d are needed", e.limit, minOpen)
}

// newWorkers returns as many workers as o.Threads wants, and how many idle directories on each side may be open in addition
// to the files of the workers, each of which opens more files than usual. mayCountFiles is false if there is no room for the walk
// that counts.
func (o *Options) newWorkers(network bool, roundTrip time.Duration, more int) (workers *walk.Size, dirs int, mayCountFiles bool) {
	first, want := o.Threads.First(network, roundTrip)
	most := o.Threads.Most()
	n, dirs, mayCountFiles := want, openDirs, true
	if limit, err := sys.MaxOpenFiles(); err == nil {
		n, dirs = fit(want, more, limit)
		most = min(most, room(dirs, more, limit))
		mayCountFiles = most >= 1
		if n < want {
			o.Messages.warn(fmt.Sprintf("using %d of %d workers, for only %d files may be open (ulimit -n)", n, want, limit))
		}
	}
	workers = walk.NewSize(min(first, n), max(n, most))
	workers.GrowTo(n)
	return workers, dirs, mayCountFiles
}

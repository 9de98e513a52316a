package cli

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/sys"
	"psync/internal/walk"
)

// Numbers of files that are open at the same time, for [fit].
const (
	perWorker = 6                         // two directories, two files, and two directories on the way to a directory
	reserved  = 20 + source.MaxCountDepth // standard streams, roots, and the walk that counts
	openDirs  = 160                       // idle directories on each side, and of those to be removed, if there is room
	fewDirs   = 12                        // the same, if there is no room
)

// newWorkers returns the workers of a run, and how many idle directories on each side may be open in addition
// to the files of the workers.
func (a *app) newWorkers(s runSpec) (workers *walk.Size, dirs int) {
	want, most := s.options.Threads.First(s.network), s.options.Threads.Most()
	n, dirs := want, openDirs
	if limit, err := sys.MaxOpenFiles(); err == nil {
		n, dirs = fit(want, s.perWorker, limit)
		most = min(most, room(dirs, s.perWorker, limit))
		if n < want {
			a.warn(s.options, fmt.Sprintf("%d workers instead of %d, for only %d files may be open (ulimit -n)", n, want, limit))
		}
	}
	return walk.NewSize(n, max(n, most)), dirs
}

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

// onSignals changes the number of workers until stop is called: after each SIGUSR1 there are twice as
// many, and half as many after each SIGUSR2.
func onSignals(workers *walk.Size) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGUSR1 {
					workers.Double()
				} else {
					workers.Halve()
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

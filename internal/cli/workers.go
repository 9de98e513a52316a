package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"psync/internal/sys"
	"psync/internal/walk"
)

const (
	localThreads   = 16
	networkThreads = 64
	maxThreads     = 1024 // each may need a thread of the system
	maxAutoThreads = 256
)

// threads is the value of a flag: a number of workers, or "auto".
type threads struct {
	n    int // 0: the default
	auto bool
}

func (t *threads) Type() string { return "N" }

func (t *threads) String() string {
	if t.auto {
		return "auto"
	}
	return strconv.Itoa(t.n)
}

func (t *threads) Set(s string) error {
	if s == "auto" {
		*t = threads{auto: true}
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("want a number, or auto")
	}
	*t = threads{n: n}
	return nil
}

// number returns the number of workers to start with.
func (t threads) number(network bool) int {
	switch {
	case t.n > 0:
		return t.n
	case network:
		return networkThreads
	}
	return localThreads
}

// most returns the largest number that there may be later.
func (t threads) most() int {
	if t.auto {
		return maxAutoThreads
	}
	return maxThreads
}

// workers returns the workers of a run, and how many idle directories on each side
// may be open besides. Until stop is called, there are twice as many after each
// SIGUSR1, and half as many after each SIGUSR2. Each has some entries open besides.
func (a *app) workers(f *runFlags, network bool, besides int) (ws *walk.Size, dirs int, stop func()) {
	want, most := f.threads.number(network), f.threads.most()
	n, dirs := want, openDirs
	if limit, err := sys.MaxOpenFiles(); err == nil {
		n, dirs = fit(want, besides, limit)
		most = min(most, room(dirs, besides, limit))
		if n < want {
			a.warn(f.quiet, fmt.Sprintf("%d workers instead of %d, for only %d files may be open (ulimit -n)", n, want, limit))
		}
	}
	ws = walk.NewSize(n, max(n, most))
	return ws, dirs, onSignals(ws)
}

// onSignals changes a number of workers by signals, until stop is called.
func onSignals(ws *walk.Size) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGUSR1 {
					ws.Double()
				} else {
					ws.Halve()
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

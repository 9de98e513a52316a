// Package supervisor starts this program again when its fence has killed it.
//
// The parent does nothing but that. The child is in the same process group, so that a terminal sends both what keys stand
// for, and stops both. It dies with the parent.
package supervisor

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"psync/internal/sys"
)

const (
	// workerVar marks the child, in its environment.
	workerVar = "PSYNC_SUPERVISED"
	// A child that is killed within atOnce after its start has been killed at once. The fence takes longer, so that this is
	// for instance for lack of memory. After mostAtOnce of them in a row, no other one is started.
	atOnce     = 10 * time.Second
	mostAtOnce = 5
)

// Child returns which of the children that do the work this process is, from 1, or 0 if it is none. It is called once, before
// anything is done.
func Child() int {
	n, _ := strconv.Atoi(os.Getenv(workerVar)) // 0: it is not set
	_ = os.Unsetenv(workerVar)                 // what it starts is not such a child
	return n
}

// Run has children do the work, with the arguments of this process, until one ends by itself, and returns the exit status.
// over reports whether the job has ended, and its exit status. It is called when a child was killed, and its context ends
// when this process is to end.
//
// Signals are passed on. A child gets an interrupt of the terminal twice, because it is not known where the one of
// the parent comes from.
func Run(over func(ctx context.Context) (status int, over bool)) (int, error) {
	runtime.LockOSThread() // or the child would die with the thread that has started it
	ends := slices.DeleteFunc(slices.Clone(ending), signal.Ignored)
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, append(ends, syscall.SIGUSR1, syscall.SIGUSR2)...)
	defer signal.Stop(signals)
	var h history
	for n := 1; ; n++ {
		start := time.Now()
		child, err := startChild(n)
		if err != nil {
			return 0, err
		}
		result, interrupted := pass(signals, child)
		h.interrupted = h.interrupted || interrupted
		if !h.again(result, time.Since(start)) {
			return exitStatus(result), nil
		}
		ctx, stop := signal.NotifyContext(context.Background(), ends...)
		status, isOver := over(ctx)
		interrupted = ctx.Err() != nil
		stop()
		switch {
		case isOver:
			return status, nil
		case interrupted:
			return exitStatus(result), nil
		}
	}
}

func startChild(n int) (*exec.Cmd, error) {
	child := &exec.Cmd{
		Path: "/proc/self/exe", Args: os.Args, Env: append(os.Environ(), workerVar+"="+strconv.Itoa(n)),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	sys.DieWithParent(child)
	return child, child.Start()
}

// ending are the signals that end a process.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// pass passes signals on to a child until it has ended, and reports whether one of them was to end it.
func pass(signals <-chan os.Signal, child *exec.Cmd) (result syscall.WaitStatus, interrupted bool) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = child.Wait() // ProcessState has the result
	}()
	for {
		select {
		case s := <-signals:
			interrupted = interrupted || slices.Contains(ending, s)
			_ = child.Process.Signal(s) // fails if it has just ended
		case <-ended:
			result, _ = child.ProcessState.Sys().(syscall.WaitStatus)
			return result, interrupted
		}
	}
}

// exitStatus returns the exit status of a child as a shell does.
func exitStatus(s syscall.WaitStatus) int {
	if s.Signaled() {
		return 128 + int(s.Signal())
	}
	return s.ExitStatus()
}

// A history is what is known of the children so far.
type history struct {
	interrupted bool // they were to end
	atOnce      int  // how many in a row were killed at once
}

// again reports whether another child is started after one that has lived that long. SIGKILL is that of the fence, or the
// system had too little memory: no one else can have meant the child rather than its parent.
func (h *history) again(status syscall.WaitStatus, lived time.Duration) bool {
	if h.interrupted || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		return false
	}
	if h.atOnce++; lived >= atOnce {
		h.atOnce = 0
	}
	return h.atOnce < mostAtOnce
}

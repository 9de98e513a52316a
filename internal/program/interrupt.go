package program

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/cli"
	"psync/internal/ui/hang"
)

const (
	// cpGrace is how long an interrupted cp may take to clean up. It is short because cp may be blocked on a
	// pipe or a terminal, and only the end of the process ends that.
	cpGrace = 250 * time.Millisecond

	// repeatWithin is how long after a signal the same one counts as part of it: timeout(1)
	// signals a process, and then its whole process group.
	repeatWithin = time.Second
)

// catch returns a channel for the signals that end a run, except for those that are ignored, as by nohup.
// Except for cp, the signals that change the number of workers no longer kill the process, even before a run
// handles them.
func catch(asCp bool) <-chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	if !asCp {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1, syscall.SIGUSR2)
	}
	return signals
}

// interrupts ends a run when signals arrive.
type interrupts struct {
	asCp  bool          // the signal kills the process, as scripts expect of cp
	grace time.Duration // how long the run may take to end
	exit  func(code int)
	first atomic.Value // signal
}

func newInterrupts(asCp bool, exit func(code int)) *interrupts {
	in := &interrupts{asCp: asCp, grace: hang.Grace, exit: exit}
	if asCp {
		in.grace = cpGrace
	}
	return in
}

// wait calls stop at the first signal. It ends the process at the second one, because the user is in a hurry,
// or after the grace period, because a mount hangs.
func (in *interrupts) wait(signals <-chan os.Signal, stop func()) {
	first := <-signals
	in.first.Store(first)
	start := time.Now()
	stop()
	over := time.After(in.grace)
	for {
		select {
		case s := <-signals:
			if s == first && time.Since(start) < repeatWithin {
				continue
			}
		case <-over:
		}
		in.end(cli.ExitInterrupted)
		return
	}
}

// end ends the process, by the first signal if it is cp.
func (in *interrupts) end(code int) {
	if s, ok := in.first.Load().(syscall.Signal); ok && in.asCp {
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second) // until the signal arrives
	}
	in.exit(code)
}

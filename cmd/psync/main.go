// The runtime does not watch the limits of the system, as it no longer would once tune has set GOMAXPROCS.
//go:debug updatemaxprocs=0

// Psync copies directory trees in parallel. See the README, or "psync --help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"psync/internal/cli"
	"psync/internal/growstack"
	"psync/internal/run"
)

func main() { psync(false) }

// psync is main. If alwaysShare is true, workers share everything that can be shared.
func psync(alwaysShare bool) {
	growstack.Grow()
	asCp := cli.IsCp(os.Args)
	signals := catch(asCp) // before anything that takes time: until then, signals kill the process
	time.AfterFunc(tuneAfter, tune)
	if !asCp {
		// Unlike cp, a copy must not end when its output is no longer read.
		signal.Ignore(syscall.SIGPIPE)
	}
	ctx, interrupt := context.WithCancelCause(context.Background())
	in := newInterrupts(asCp, os.Exit)
	go in.wait(signals, func() { interrupt(run.ErrInterrupted) })
	code := cli.Run(ctx, os.Args, cli.Process{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Confine: true, AlwaysShare: alwaysShare,
		Connecting: func() { reachesHost.Store(true) },
	})
	if ctx.Err() != nil {
		in.end(code)
	}
	os.Exit(code)
}

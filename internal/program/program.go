// Package program is what the main functions of psync and psync-cluster have in common.
package program

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

// Main runs the command line of this process, and ends it. It sets what p does not say.
func Main(p cli.Process) {
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
	p.Stdin, p.Stdout, p.Stderr, p.Confine = os.Stdin, os.Stdout, os.Stderr, true
	p.Connecting = func() { reachesHost.Store(true) }
	code := cli.Run(ctx, os.Args, p)
	if ctx.Err() != nil {
		in.end(code)
	}
	os.Exit(code)
}

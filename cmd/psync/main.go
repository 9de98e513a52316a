// Psync copies directory trees in parallel. See the README, or "psync --help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"psync/internal/cli"
)

func main() {
	time.AfterFunc(tuneAfter, tune)
	// Output that nobody reads any more must not end a copy half way.
	signal.Ignore(syscall.SIGPIPE)

	ctx, interrupt := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup does
			signal.Notify(signals, s)
		}
	}
	go func() {
		<-signals
		interrupt(cli.ErrInterrupted)
		<-signals // somebody is in a hurry, or a mount hangs
		os.Exit(cli.ExitInterrupted)
	}()
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The runtime does not watch the limits of the system, as it no longer would once package program has set GOMAXPROCS.
//go:debug updatemaxprocs=0

// Command psync-cluster has several hosts share one job. See psync-cluster --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"psync/internal/cli"
	"psync/internal/cluster/command"
	"psync/internal/cluster/supervisor"
	"psync/internal/program"
)

func main() {
	child := supervisor.Child()
	if !command.IsOwn(os.Args[1:]) {
		program.Main(cli.Process{Cluster: command.Sharing{Child: child}})
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

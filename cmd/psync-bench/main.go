// Command psync-bench measures psync against the copiers that this machine has
// and prints Markdown tables. See psync-bench -h.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"psync/internal/bench"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return bench.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

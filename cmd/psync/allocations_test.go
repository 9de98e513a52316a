package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"psync/internal/cli"
)

// countAllocations runs the command line that follows, and prints how many objects, and how many bytes, it has allocated.
func countAllocations() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	code := cli.Run(context.Background(), os.Args[1:], cli.Process{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	runtime.ReadMemStats(&after)
	fmt.Fprintln(os.Stderr, after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc)
	os.Exit(code)
}

// The runtime does not watch the limits of the system, as it no longer would once package program has set GOMAXPROCS.
//go:debug updatemaxprocs=0

// Psync copies directory trees in parallel. See the README, or "psync --help".
package main

import (
	"psync/internal/cli"
	"psync/internal/program"
)

func main() { psync(false) }

// psync is main. If alwaysShare is true, workers share everything that can be shared.
func psync(alwaysShare bool) { program.Main(cli.Process{AlwaysShare: alwaysShare}) }

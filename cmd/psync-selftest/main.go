// Command psync-selftest tries what a volume keeps of metadata, and what psync makes
// of it. See psync-selftest -h.
package main

import (
	"os"

	"psync/internal/selftest"
)

func main() {
	os.Exit(selftest.Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Command psync-selftest tests which metadata a volume keeps, and how psync copies it. See psync-selftest -h.
package main

import (
	"os"

	"psync/internal/selftest"
)

func main() {
	os.Exit(selftest.Main(os.Args[1:], os.Stdout, os.Stderr))
}

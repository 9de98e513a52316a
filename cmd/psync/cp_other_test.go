//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// hasModelCp is false because what a run has made is compared on Linux only.
func hasModelCp() bool { return false }

func cmdCpBoth(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("only on Linux") }

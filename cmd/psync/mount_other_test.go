//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func mountPrivately() {}

func canMount() bool { return false }

func canMountVFAT() bool { return false }

func cmdMount(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("mount: not on this system")
}

func canMountExt4() bool { return false }

func canMountOverlay() bool { return false }

func canMountXFS() bool { return false }

func canMountBtrfs() bool { return false }

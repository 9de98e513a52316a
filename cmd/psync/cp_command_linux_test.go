package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdCpBoth runs a command line with psync cp and GNU cp, each in a copy of the directory tree, and fails
// unless they do the same. Their output is available to stdout and stderr, and w leads to the tree after
// psync cp. For the syntax, see parseCpRun:
//
//	[!] cpboth [NAME=VALUE | umask=OCTAL | user | <LINES]... [ARG...]
func cmdCpBoth(ts *testscript.TestScript, neg bool, args []string) {
	tb := ts.Value(testingKey{}).(testing.TB)
	c, tree, dir := parseCpRun(args), ts.MkAbs("tree"), placeForCp(tb)
	plant := func() error { return copyOpened(tree, dir) }
	theirs, ours, err := c.both(dir, plant)
	if errors.Is(err, errInodeOrder) {
		tb.Skip(err)
	}
	ts.Check(err)
	if differs := c.report(dir, plant, theirs, ours); differs != "" {
		ts.Fatalf("%s", differs)
	}
	_ = os.Remove(ts.MkAbs("w"))
	ts.Check(os.Symlink(dir, ts.MkAbs("w")))
	fmt.Fprint(ts.Stdout(), theirs.stdout)
	fmt.Fprint(ts.Stderr(), theirs.stderr)
	if neg != (theirs.exit != 0) {
		ts.Fatalf("exit status %d", theirs.exit)
	}
}

// copyOpened copies a tree with parts that may be inaccessible to the owner.
func copyOpened(tree, dir string) error {
	closed, err := addOwnerRights(tree)
	if err != nil {
		return err
	}
	out, err := exec.Command("cp", "-a", tree, dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return errors.Join(err, closed.close(), closed.moved(tree, dir).close())
}

// moved returns the entries of another tree that have the same paths.
func (c closed) moved(from, to string) closed {
	m := make(closed)
	for full, mode := range c {
		m[to+strings.TrimPrefix(full, from)] = mode
	}
	return m
}

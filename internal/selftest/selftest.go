// Package selftest tests how a system and a volume really handle metadata, and how psync copies it there.
//
// Much of how psync keeps metadata is based on manuals and published sources. A check either compares the
// system with such a fact, or has package engine copy a tree and then reads both sides by other means than
// those of the engine. If psync can handle any behavior of the system, the check only logs it.
//
// All checks are compiled on all systems, and use only vfs and a profile of package metadata. So the checks
// for macOS can run on a simulation of it on any system. Until they have run on a Mac, they are only as
// correct as that simulation.
//
// Everything happens in one new directory, which is removed at the end, whatever locks, modes and ACLs the
// checks have left in it.
package selftest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"psync/internal/selftest/check"
	"psync/internal/selftest/copying"
	"psync/internal/selftest/facts"
)

// A Result counts checks by their verdicts.
type Result struct{ Passed, Failed, Skipped int }

// Run runs all checks and prints a line for each, and with verbose also what they logged. It returns an error
// if the directory cannot be made or removed, or out cannot be written to, or the cause of ctx if ctx ended
// first.
func Run(ctx context.Context, c check.Config, out io.Writer, verbose bool) (r Result, err error) {
	s, err := check.Begin(ctx, c)
	if err != nil {
		return r, err
	}
	defer func() {
		err = errors.Join(err, s.End())
		if c.Keep {
			fmt.Fprintf(out, "left behind: %s\n", s.Name)
		}
	}()
	for _, c := range slices.Concat(facts.Checks(), copying.Checks()) {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		o := s.Run(ctx, c)
		if ctx.Err() != nil { // it may have caused the failure
			return r, context.Cause(ctx)
		}
		r.add(o)
		report(out, c, o, verbose)
	}
	_, err = fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", r.Passed, r.Failed, r.Skipped)
	return r, err
}

func (r *Result) add(o check.Outcome) {
	switch o.Verdict {
	case check.Passed:
		r.Passed++
	case check.Failed:
		r.Failed++
	case check.Skipped:
		r.Skipped++
	}
}

// report prints the line of a check, and what it has logged.
func report(out io.Writer, c check.Check, o check.Outcome, verbose bool) {
	line := [...]string{check.Passed: "PASS", check.Failed: "FAIL", check.Skipped: "SKIP"}[o.Verdict] + " " + c.Name
	if o.Why != "" {
		line += ": " + o.Why
	}
	fmt.Fprintln(out, printable(line))
	if !verbose && o.Verdict != check.Failed {
		return
	}
	for _, entry := range o.Log {
		fmt.Fprintln(out, "     "+printable(entry))
	}
}

// printable returns s on one line and without terminal control characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

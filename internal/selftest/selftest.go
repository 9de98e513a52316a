// Package selftest tries what a system and a volume really do with metadata, and
// what becomes of it when psync copies there.
//
// Much of how psync keeps metadata rests on what manuals and published sources say. A
// check either holds the system against such a fact, or lets package engine copy a
// tree and then reads both sides anew, by other means than those of the engine.
// Where psync copes with whatever a system does, a check only notes it.
//
// All checks are compiled on all systems, and see nothing of them but vfs and a
// a profile of package metadata. So those that are about macOS run on a simulation of it
// anywhere, and are right or wrong together with that, until a Mac has run them.
//
// Everything happens in one new directory, which is removed in the end, whatever
// locks, modes and ACLs the checks have left in it.
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

// A Result counts checks by how they ended.
type Result struct{ Passed, Failed, Skipped int }

// Run runs all checks, and prints a line for each, or with verbose what was noted as well. The
// error is one of making or removing the directory, or of out, or the cause of ctx if that ended first.
func Run(ctx context.Context, c check.Config, out io.Writer, verbose bool) (r Result, err error) {
	s, err := check.Begin(ctx, c)
	if err != nil {
		return r, err
	}
	defer func() {
		err = errors.Join(err, s.Close())
		if c.Keep {
			fmt.Fprintf(out, "left behind: %s\n", s.Name)
		}
	}()
	for _, c := range slices.Concat(facts.Checks(), copying.Checks()) {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		o := s.Run(ctx, c)
		if ctx.Err() != nil { // it may be the reason for what was seen
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

// printable returns one line without what a terminal would take for more than text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

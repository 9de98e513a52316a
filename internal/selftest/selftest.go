// Package selftest tries what a system and a volume really do with metadata, and
// what becomes of it when psync copies there.
//
// Much of how psync keeps metadata rests on what manuals and published sources say. A
// check either holds the system against such a fact, or lets package engine copy a
// tree and then reads both sides anew, by other means than those of the engine.
// Where psync copes with whatever a system does, a check only notes it.
//
// All checks are compiled on all systems, and see nothing of them but vfs and a
// [metadata.Profile]. So those that are about macOS run on a simulation of it
// anywhere, and are right or wrong together with that, until a Mac has run them.
//
// Everything happens in one new directory, which is removed in the end, whatever
// locks, modes and ACLs the checks have left in it.
package selftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Config says what to test, and how.
type Config struct {
	Dir     vfs.Dir           // gets the directory that everything happens in
	Profile *metadata.Profile // of the system; nil: that of this one
	User    metadata.User     // who runs the test
	Out     io.Writer
	Verbose bool // print what was noted
	Leave   bool // the directory stays
	Quick   bool // write no files that take a while
}

// A Result counts checks by how they ended.
type Result struct{ Passed, Failed, Skipped int }

// Run runs all checks, and prints a line for each. The error is one of making or
// removing the directory, or the cause of ctx if that ended first.
func Run(ctx context.Context, c Config) (r Result, err error) {
	c.Profile = cmp.Or(c.Profile, metadata.Native())
	name, dir, err := c.workDir()
	if err != nil {
		return r, err
	}
	defer func() {
		err = errors.Join(err, dir.Close())
		if c.Leave {
			fmt.Fprintf(c.Out, "left behind: %s\n", name)
			return
		}
		err = errors.Join(err, sweeper{c.Profile}.remove(c.Dir, name, fs.ModeDir))
	}()
	s := &session{Config: c, ctx: ctx, root: dir, lacked: make(map[string]bool)}
	s.try(check{run: learn}, "00")
	for i, c := range checks() {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		o := s.try(c, fmt.Sprintf("%02d", i+1))
		if ctx.Err() != nil { // it may be the reason for what was seen
			return r, context.Cause(ctx)
		}
		r.add(o)
		s.print(c, o)
	}
	_, err = fmt.Fprintf(c.Out, "%d passed, %d failed, %d skipped\n", r.Passed, r.Failed, r.Skipped)
	return r, err
}

// workDir makes a directory that inherits as little as possible from that it is in.
func (c *Config) workDir() (name string, dir vfs.Dir, err error) {
	for n := 1; ; n++ {
		name = fmt.Sprintf("psync-selftest-%d", n)
		if err = c.Dir.Mkdir(name, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return name, nil, err
	}
	sweeper{c.Profile}.unlock(c.Dir, name, fs.ModeDir)
	_ = c.Dir.Lchown(name, -1, c.User.GID) // who is no member of a group cannot set some bits
	dir, err = c.Dir.OpenDir(name)
	if err != nil {
		err = errors.Join(err, c.Dir.Rmdir(name))
	}
	return name, dir, err
}

func (r *Result) add(o outcome) {
	switch o.verdict {
	case passed:
		r.Passed++
	case failed:
		r.Failed++
	case skipped:
		r.Skipped++
	}
}

func (s *session) print(c check, o outcome) {
	line := [...]string{passed: "PASS", failed: "FAIL", skipped: "SKIP"}[o.verdict] + " " + c.name
	if o.why != "" {
		line += ": " + o.why
	}
	fmt.Fprintln(s.Out, printable(line))
	if !s.Verbose && o.verdict != failed {
		return
	}
	for _, note := range o.notes {
		fmt.Fprintln(s.Out, "     "+printable(note))
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

// Package gnucp copies as GNU cp(1) does: the same files are copied to the same
// places, get the same attributes, and cause the same messages.
//
// That is another contract than that of package engine, down to single system calls: cp writes
// into existing files instead of replacing them, follows links in the destination,
// heeds the umask, and keeps an order. So entries are dealt with here; directories are handed
// out by the same [walk.Pool], and bytes moved by the same [content.Copier].
//
// The order of cp is that of a walk through the tree, the entries of a directory by their
// inode numbers. Workers claim directories and share runs of files with idle ones, in whatever order, as
// long as the difference is not observable:
//   - What is said is put into segments of an output, which prints them in their order. See package output.
//   - What depends on the order waits for the turn of its segment: further names of an entry of which
//     the links are preserved, and existing files that may be reached by other names.
//   - One worker does everything, in cp's order, if there are questions to ask, or if something may be
//     reached in more than one way: the destination is in the source, its names are one but for case,
//     or symbolic links lead there. See scan.go.
//   - Operands are dealt with one after the other, as far as one could matter to the next.
//
// A directory gets its attributes when its own entries are done, unless they take rights away
// that are needed below it, or entries wait for their turn: then it waits as well.
//
// The directory that an operand is in is opened by its path, once. From there, and from the target and the directories
// that --parents makes, directories are opened by their names in their parents, and through links only where
// cp follows them, so that a process that replaces directories with links cannot redirect the copy. See directory.go
// and container.go.
//
// The facts about cp are from the documentation and the sources of GNU coreutils 9.1 and 9.7, and
// from comparing with both, option by option.
package gnucp

import (
	"context"
	"io"

	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/report"
)

// A Job is what Run needs.
type Job struct {
	policy.Options
	Operands []string
	Name     string // of the program, in diagnostics
	UTF8     bool   // whether terminals show UTF-8
	UID      int    // the effective one

	Forks []string // extended attributes that are part of contents: copies without them are reported

	NewTemporary func() string          // returns a name for a file that is not complete
	Abandoned    func(name string) bool // reports whether a name is one that a process which is gone has used

	Terminal       bool // Stdout is one: what is said is seen at once
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Stats          *report.Stats
}

// A UsageError says what is wrong with the command line. The caller should report it with a hint at the help.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// An OperandError says why nothing was copied.
type OperandError struct{ Message string }

func (e *OperandError) Error() string { return e.Message }

// Copy copies what j describes, and reports whether everything succeeded; failures have been reported.
// It returns a *[UsageError] or an *[OperandError] if nothing was tried, and the cause of ctx
// if that ended before the copy did. A new file that was being copied then is removed.
func Copy(ctx context.Context, j Job) (ok bool, err error) {
	return newRun(j).copy(ctx)
}

func (r *run) copy(ctx context.Context) (ok bool, err error) {
	out, first := output.New(output.Config{
		Stdout: r.Stdout, Stderr: r.Stderr, Immediate: r.Terminal, Program: r.Name, UTF8: r.UTF8,
	})
	l := &commandLine{worker: r.worker(), out: first}
	defer l.closeAll()
	ok, err = l.operands(ctx)
	l.drain()
	l.out.Close()
	if lost := out.Err(); lost != nil {
		ok = out.Now().Fail(lost, "write error")
	}
	r.shared.ReportForks(out.Now())
	if err == nil {
		err = context.Cause(ctx)
	}
	return ok && !r.flawed.Load(), err
}

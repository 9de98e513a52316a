// Package gnucp copies as GNU cp(1) does: it copies the same files to the same places, gives them the same
// attributes, and prints the same messages.
//
// This contract differs from that of package engine, down to single system calls: cp writes into existing files
// instead of replacing them, follows links in the destination, respects the umask, and keeps an order.
// Therefore this package copies entries itself, but it uses the same [walk.Pool] to distribute directories and
// the same [content.Copier] to move bytes.
//
// cp walks the tree and visits the entries of each directory in the order of their inode numbers. Workers claim
// directories and share runs of files with idle workers in any order, as long as the difference is not
// observable:
//   - Messages are put into segments of an output, which prints the segments in their order. See package
//     output.
//   - Entries that depend on the order wait for the turn of their segments: further names of an entry whose
//     hard links are preserved, and existing files that may be reached by other names.
//   - One worker does everything, in cp's order, if there are questions to ask, or if an entry may be reached
//     in more than one way: the destination is in the source, names in the destination are equal but for case,
//     or symbolic links lead there. See scan.go.
//   - Operands are copied one after the other, as far as one operand could affect the next.
//
// A directory gets its attributes when its own entries are done. If the attributes would take away rights that
// are needed below the directory, or if entries wait for their turn, the directory waits for its turn as well.
//
// The directory of an operand is opened by its path, once. From that directory, from the target, and from the
// directories that --parents makes, further directories are opened by their names in their parents, and through
// links only where cp follows links, so that a process that replaces directories with links cannot redirect the
// copy. See directory.go and container.go.
//
// The facts about cp come from the documentation and the sources of GNU coreutils 9.1 and 9.7, and from
// comparisons with both versions, option by option.
package gnucp

import (
	"cmp"
	"context"
	"io"

	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Job describes what to copy, and how.
type Job struct {
	policy.Options
	Operands []string
	Name     string   // the name of the program in diagnostics
	UTF8     bool     // whether terminals show UTF-8
	Host     vfs.Host // looks up paths; the copy itself uses [localfs.At], so Host is that of this process

	Forks []string // extended attributes that are part of contents: copies without them are reported

	NewTemporary func() string          // returns a name for a file that is not complete
	Abandoned    func(name string) bool // reports whether a process that no longer exists has used a name

	Terminal       bool // Stdout is a terminal: messages appear at once
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Stats          *report.Stats
}

// A UsageError reports what is wrong with the command line. The caller should print it with a hint at the help.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// An OperandError reports why nothing was copied.
type OperandError struct{ Message string }

func (e *OperandError) Error() string { return e.Message }

// Copy copies what j describes and reports whether everything succeeded. It prints failures before it returns.
// Copy returns a *[UsageError] or an *[OperandError] if nothing was tried, and the cause of ctx if ctx ended
// before the copy did. A new file that was being copied at that moment is removed.
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
	return ok && !r.flawed.Load(), cmp.Or(err, context.Cause(ctx))
}

// Package gnucp copies as cp(1) of the GNU system does: the same files land in the same
// places, get the same attributes, and the same is said about them.
//
// That is another contract than that of package engine, down to single system calls: cp writes
// into existing files instead of replacing them, follows links in the destination,
// heeds the umask, and keeps an order. So entries are dealt with here; directories are handed
// out by the same [walk.Pool], and bytes moved by the same [content.Copier].
//
// The order of cp is that of a walk through the tree, the entries of a directory by their
// inode numbers. Workers claim directories and share runs of files with idle ones, in whatever order, as
// long as nobody can see it:
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
// cp follows them, so that nobody who exchanges directories for links leads the copy elsewhere. See directory.go
// and container.go.
//
// The facts about cp are from the documentation and the sources of GNU coreutils 9.1 and 9.7, and
// from comparing with both, option by option.
package gnucp

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"psync/internal/gnucp/attrs"
	"psync/internal/gnucp/contents"
	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/walk"
)

// A Job is what Run needs.
type Job struct {
	policy.Options
	Operands []string
	Name     string // of the program, in diagnostics
	UTF8     bool   // whether terminals show UTF-8
	UID      int    // the effective one

	Forks []string // extended attributes that are part of contents: copies without them are told of

	NewTemporary func() string          // returns a name for a file that is not complete
	Abandoned    func(name string) bool // reports whether a name is one that a process which is gone has used

	Terminal       bool // Stdout is one: what is said is seen at once
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Stats          *report.Stats
}

// A UsageError is about the command line. Those who meet it should be pointed to the help.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// An OperandError says why nothing was copied.
type OperandError struct{ Message string }

func (e *OperandError) Error() string { return e.Message }

// Run copies what j describes, and reports whether all went well; what did not was told.
// It returns a *[UsageError] or an *[OperandError] if nothing was tried, and the cause of ctx
// if that ended before the copy did. A new file that was being copied then is removed.
func Run(ctx context.Context, j Job) (ok bool, err error) {
	return newRun(j).copy(ctx)
}

func newRun(j Job) *run {
	r := &run{Job: j}
	r.shared = &contents.Shared{
		Setter: attrs.Setter{Options: &r.Options, Root: j.UID == 0, Umask: localfs.Umask()},
		Cutoff: rangesFrom,
		Forks:  j.Forks, NewTemporary: j.NewTemporary, Abandoned: j.Abandoned,
	}
	r.dirs.Limit = affordableDirs()
	r.inTurn = r.worker()
	return r
}

func (r *run) copy(ctx context.Context) (ok bool, err error) {
	defer r.closeAll()
	out, first := output.New(output.Config{
		Stdout: r.Stdout, Stderr: r.Stderr, Immediate: r.Terminal, Program: r.Name, UTF8: r.UTF8,
	})
	w := r.worker()
	w.out = first
	ok, err = w.operands(ctx)
	w.drain()
	w.out.Close()
	if lost := out.Err(); lost != nil {
		ok = out.Now().Fail(lost, "write error")
	}
	r.shared.ReportForks(out.Now())
	if err == nil {
		err = context.Cause(ctx)
	}
	return ok && !r.flawed.Load(), err
}

// closeAll closes the directories that are open.
func (r *run) closeAll() {
	r.dirs.CloseAll()
	if r.target != (localfs.At{}) {
		_ = r.target.Close() // nothing was written through it
	}
}

// run is the state that the workers share.
type run struct {
	Job
	shared  *contents.Shared
	copies  copies
	dirs    walk.Cache[bothSides]
	target  localfs.At           // the directory that operands go into, if it is open
	helpers atomic.Pointer[pool] // the pool at work, if any
	inTurn  *worker              // does what had to wait for its turn
	flawed  atomic.Bool          // something went wrong in a tree
	scanned sync.Map             // the times of access, by vfs.ID, that directories had before they were scanned

	listsSources bool // several operands go into one directory
	merges       bool // one of them went into a directory of its name
	sources      entry.NameSet
	dests        entry.NameSet
}

// A worker copies one entry at a time.
type worker struct {
	*run
	out       *output.Segment // where operands speak; only of the worker that goes through them
	started   *pool           // if any; likewise
	container *container      // of the last operand; likewise
	begun     int             // how many operands; likewise
	files     *contents.Copier
	count     *report.Counter
}

func (r *run) worker() *worker {
	count := r.Stats.Counter()
	return &worker{run: r, count: count, files: contents.NewCopier(r.shared, count, r.shareRanges)}
}

// note remembers that something went wrong, if so.
func (r *run) note(ok bool) {
	if !ok {
		r.flawed.Store(true)
	}
}

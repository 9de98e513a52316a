package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync/atomic"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/output"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// An operand is a source on the command line together with its destination.
type operand struct {
	src, dst string
	number   int         // the position among all operands, from 1
	inOrder  bool        // one worker copies the operand, in cp's order
	fresh    bool        // the destination did not exist before
	began    bool        // a directory was made, in cp's order
	circular atomic.Bool // the operand turned out to contain its own copy, so nothing more is copied
}

// A commandLine copies its operands one after the other.
type commandLine struct {
	*worker
	out       *output.Segment // the segment for messages about the next operand
	begun     int             // number of operands begun
	container *container      // the container of the last operand
	target    localfs.At      // the directory that operands go into, if it is open
	inOrder   bool            // one worker copies all operands, in cp's order
}

// closeAll closes the directories that are open.
func (l *commandLine) closeAll() {
	l.dirs.CloseAll()
	if l.target != (localfs.At{}) {
		_ = l.target.Close() // nothing was written through it
	}
}

// operands copies all operands.
func (l *commandLine) operands(ctx context.Context) (bool, error) {
	if err := l.enough(); err != nil {
		return false, err
	}
	sources := l.Operands
	target := l.TargetDirectory
	switch {
	case l.NoTargetDirectory:
		if l.HasTarget {
			return false, &OperandError{"cannot combine --target-directory (-t) and --no-target-directory (-T)"}
		}
		if len(sources) > 2 {
			return false, &UsageError{l.out.Text("extra operand %s", sources[2])}
		}
		return l.single(ctx, false)
	case l.HasTarget:
		if err := l.isDirectory(target); err != nil {
			return false, &OperandError{l.out.Text("target directory %s: %s", target, output.Plain(output.Strerror(err)))}
		}
	default:
		target = sources[len(sources)-1]
		switch err := l.isDirectory(target); {
		case err == nil:
			sources = sources[:len(sources)-1]
		case len(sources) > 2 || l.isUnknownDirectory(target, err):
			return false, &OperandError{l.out.Text("target %s: %s", target, output.Plain(output.Strerror(err)))}
		default:
			return l.single(ctx, errors.Is(err, syscall.ENOENT))
		}
	}
	return l.copyInto(ctx, sources, target), nil
}

// enough checks the number of operands.
func (l *commandLine) enough() error {
	switch n := len(l.Operands); {
	case n == 0:
		return &UsageError{"missing file operand"}
	case n == 1 && !l.HasTarget:
		return &UsageError{l.out.Text("missing destination file operand after %s", l.Operands[0])}
	}
	return nil
}

func (r *run) isDirectory(path string) error {
	attr, err := r.Host.Stat(path, vfs.Follow)
	if err == nil && !attr.Mode.IsDir() {
		err = syscall.ENOTDIR
	}
	return err
}

// isUnknownDirectory reports whether path is, or may be, a directory although stat(2) has just failed for it. Copying to
// path as to a file would put the entries of SOURCE where SOURCE itself belongs.
func (r *run) isUnknownDirectory(path string, err error) bool {
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR) {
		return false
	}
	attr, err := r.Host.Stat(path, vfs.NoFollow)
	switch {
	case err == nil:
		return attr.Mode.IsDir()
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENAMETOOLONG):
		return false // copying fails for the same reason
	}
	return true
}

// single copies the first operand to the second one.
func (l *commandLine) single(ctx context.Context, newTarget bool) (bool, error) {
	src, dst := l.Operands[0], l.Operands[1]
	if l.Parents {
		return false, &UsageError{"with --parents, the destination must be a directory"}
	}
	if l.Force && l.Backup != policy.NoBackups && src == dst && !newTarget {
		// This lets the user back up a file without changing anything else.
		if attr, err := l.Host.Stat(dst, vfs.Follow); err == nil && attr.Mode.IsRegular() {
			dst = l.backupName(localfs.Cwd, dst)
			l.Backup = policy.NoBackups
		}
	}
	known := entry.DestUnknown
	if newTarget {
		known = entry.DestAbsentOrDangling
	}
	to, place := split(dst)
	return l.operand(ctx, l.locate(src, to, place), known, true), nil
}

// copyInto copies sources into the directory target. Sources do not wait for each other where the difference is not
// observable.
func (l *commandLine) copyInto(ctx context.Context, sources []string, target string) bool {
	l.listsSources = len(sources) > 1
	l.inOrder = l.listsSources && l.Recursive && l.isInAny(target, sources)
	apart := l.apart(target)
	into := l.openTarget(target)
	ok := true
	for _, src := range sources {
		if ctx.Err() != nil {
			break
		}
		if l.StripSlashes {
			src = entry.StripSlashes(src)
		}
		if l.Parents {
			at, known, made, led := l.leadTo(src, into)
			ok = led && l.operand(ctx, at, known, true) && ok
			ok = (!led || l.protect(made)) && ok
			continue
		}
		name := entry.DestName(src)
		alone := l.inOrder || !apart.allows(src, name)
		if alone {
			l.drain()
		}
		dst, place := into.side(name)
		ok = l.operand(ctx, l.locate(src, dst, place), entry.DestUnknown, alone) && ok
	}
	return ok && ctx.Err() == nil
}

// isInAny reports whether the directory target is one of the sources, or below one. What cp makes of such a
// source depends on the order in which it has copied those before it.
func (l *commandLine) isInAny(target string, sources []string) bool {
	return slices.ContainsFunc(sources, func(src string) bool {
		attr, err := l.Host.Stat(src, vfs.Follow)
		return err == nil && attr.Mode.IsDir() && entry.IsBelow(l.Host, target, attr.ID())
	})
}

// operand copies an operand. If alone is false, other operands may be copied at the same time, and the copy may
// still be running when operand returns; see drain.
func (l *commandLine) operand(ctx context.Context, at site, known entry.Knowledge, alone bool) bool {
	l.begun++
	op := &operand{src: at.src.String(), dst: at.dst.String(), number: l.begun, inOrder: l.inOrder || l.InOrder()}
	it := &item{
		Copy: entry.Copy{Src: at.src, Dst: at.dst, Follow: l.Follow != policy.FollowNone, DestKnown: known, Out: l.out},
		op:   op, node: at.node, top: true, turn: alone,
	}
	if !alone {
		it.Out = l.out.After()
		rest := it.Out.After()
		l.out.Close()
		l.out = rest
		var enters, circular bool
		if !l.inDirectory(it, func() bool {
			enters, circular = l.enters(it)
			return true
		}) {
			it.Out.Close()
			return false
		}
		if circular {
			l.drain() // the copies of earlier operands are part of this operand
		}
		if !enters {
			l.merges = l.merges || l.Preserve.Links
			l.pool(ctx, it).Put(func(w *worker, _ *walk.Claim[task]) {
				_, ok := w.copyWhereItIs(ctx, it)
				w.note(ok)
				it.Out.Close()
			})
			return true
		}
	}
	child, ok := l.copyWhereItIs(ctx, it)
	switch {
	case child == nil && !alone:
		it.Out.Close()
	case child == nil:
	case op.inOrder:
		l.drain()
		ok = l.copyInOrder(ctx, child, it.Out) && ok
		if !alone {
			it.Out.Close()
		}
	case alone:
		child.begin = l.out.After()
		rest := child.begin.After()
		l.out.Close()
		l.out = rest
		l.begin(ctx, child)
		l.drain()
	default:
		child.begin = it.Out
		l.begin(ctx, child)
	}
	return ok
}

// begin starts copying the entries of an operand's directory.
func (l *commandLine) begin(ctx context.Context, d *directory) {
	p := l.pool(ctx, d.item)
	p.Put(p.copyTask(d))
}

// enters reports whether an operand is a directory to copy, and whether the directory is copied into itself.
// Directories are begun one after the other. If stat(2) fails, enters assumes that the operand is a directory
// copied into itself.
func (l *commandLine) enters(it *item) (enters, circular bool) {
	if !l.Recursive {
		return false, false
	}
	attr, err := it.Src.At.Stat(it.Src.Name, it.Follow)
	if err != nil {
		return true, true
	}
	if !attr.Mode.IsDir() {
		return false, false
	}
	return true, entry.IsBelow(l.Host, entry.DirName(it.Dst.String()), attr.ID())
}

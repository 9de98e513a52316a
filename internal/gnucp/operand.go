package gnucp

import (
	"context"
	"errors"
	"sync/atomic"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// An operand is a source of the command line, and where it goes.
type operand struct {
	src, dst string
	number   int         // its place among all, from 1
	inOrder  bool        // one worker goes through it, in cp's order
	fresh    bool        // nothing of it was there before
	began    bool        // a directory was made, in order
	circular atomic.Bool // it turned out to hold its own copy, so no more is copied
}

// operands copies all operands.
func (w *worker) operands(ctx context.Context) (bool, error) {
	if err := w.enough(); err != nil {
		return false, err
	}
	sources := w.Operands
	target := w.TargetDirectory
	switch {
	case w.NoTargetDirectory:
		if w.HasTarget {
			return false, &OperandError{"cannot combine --target-directory (-t) and --no-target-directory (-T)"}
		}
		if len(sources) > 2 {
			return false, &UsageError{w.out.Text("extra operand %s", sources[2])}
		}
		return w.single(ctx, false)
	case w.HasTarget:
		if err := isDirectory(target); err != nil {
			return false, &OperandError{w.out.Text("target directory %s: %s", target, output.Plain(output.Strerror(err)))}
		}
	default:
		target = sources[len(sources)-1]
		switch err := isDirectory(target); {
		case err == nil:
			sources = sources[:len(sources)-1]
		case len(sources) > 2 || isUnknownDirectory(target, err):
			return false, &OperandError{w.out.Text("target %s: %s", target, output.Plain(output.Strerror(err)))}
		default:
			return w.single(ctx, errors.Is(err, syscall.ENOENT))
		}
	}
	return w.into(ctx, sources, target), nil
}

// enough checks the number of operands.
func (w *worker) enough() error {
	switch n := len(w.Operands); {
	case n == 0:
		return &UsageError{"missing file operand"}
	case n == 1 && !w.HasTarget:
		return &UsageError{w.out.Text("missing destination file operand after %s", w.Operands[0])}
	}
	return nil
}

func isDirectory(path string) error {
	attr, err := localfs.Cwd.Stat(path, true)
	if err == nil && !attr.Mode.IsDir() {
		err = syscall.ENOTDIR
	}
	return err
}

// isUnknownDirectory reports whether path is a directory although looking at it has just failed.
// Copying to it as to a file would put what is in SOURCE where SOURCE itself belongs.
func isUnknownDirectory(path string, err error) bool {
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR) {
		return false
	}
	attr, err := localfs.Cwd.Stat(path, false)
	return err == nil && attr.Mode.IsDir()
}

// single copies the first operand to the second one.
func (w *worker) single(ctx context.Context, newTarget bool) (bool, error) {
	src, dst := w.Operands[0], w.Operands[1]
	if w.Parents {
		return false, &UsageError{"with --parents, the destination must be a directory"}
	}
	if w.Force && w.Backup != policy.NoBackups && src == dst && !newTarget {
		// So a backup can be asked for of a file that nothing else is to happen to.
		if attr, err := localfs.Cwd.Stat(dst, true); err == nil && attr.Mode.IsRegular() {
			dst = w.backupName(localfs.Cwd, dst)
			w.Backup = policy.NoBackups
		}
	}
	known := entry.Unknown
	if newTarget {
		known = entry.Dangling
	}
	to, place := split(dst)
	return w.operand(ctx, w.locate(src, to, place), known, true), nil
}

// into copies sources into the directory target. They need not wait for each other where
// nobody can tell.
func (w *worker) into(ctx context.Context, sources []string, target string) bool {
	w.listsSources = len(sources) > 1
	apart := w.apart(target)
	into := w.openTarget(target)
	ok := true
	for _, src := range sources {
		if ctx.Err() != nil {
			break
		}
		if w.StripSlashes {
			src = entry.StripSlashes(src)
		}
		if w.Parents {
			ok = w.withParents(ctx, src, into) && ok
			continue
		}
		name := entry.DestName(src)
		alone := !apart.may(src, name)
		if alone {
			w.drain()
		}
		dst, place := into.side(name)
		ok = w.operand(ctx, w.locate(src, dst, place), entry.Unknown, alone) && ok
	}
	return ok && ctx.Err() == nil
}

// operand copies an operand. If it is not alone, others may be copied at the same time, and
// it need not be done yet when operand returns; see drain.
func (w *worker) operand(ctx context.Context, at site, known entry.Knowledge, alone bool) bool {
	w.begun++
	op := &operand{src: at.src.String(), dst: at.dst.String(), number: w.begun, inOrder: w.ordered()}
	it := &item{
		Copy: entry.Copy{Src: at.src, Dst: at.dst, Follow: w.Follow != policy.FollowNone, Known: known, Out: w.out},
		op:   op, node: at.node, top: true, turn: alone,
	}
	if !alone {
		it.Out = w.out.After()
		rest := it.Out.After()
		w.out.Close()
		w.out = rest
		var enters, circular bool
		w.inDirectory(it, func() bool {
			enters, circular = w.enters(it)
			return true
		})
		if circular {
			w.drain() // what others have copied is part of it
		}
		if !enters {
			w.merges = w.merges || w.Preserve.Links
			w.pool(ctx, it).Put(func(w *worker, _ *walk.Claim[task]) {
				w.note(w.inDirectory(it, func() bool { return w.entry(ctx, it) }))
				it.Out.Close()
			})
			return true
		}
	}
	ok := w.inDirectory(it, func() bool { return w.entry(ctx, it) })
	switch {
	case it.child == nil && !alone:
		it.Out.Close()
	case it.child == nil:
	case op.inOrder:
		w.drain()
		ok = w.copyInOrder(ctx, it.child, it.Out) && ok
		if !alone {
			it.Out.Close()
		}
	case alone:
		it.child.begin = w.out.After()
		rest := it.child.begin.After()
		w.out.Close()
		w.out = rest
		w.begin(ctx, it)
		w.drain()
	default:
		it.child.begin = it.Out
		w.begin(ctx, it)
	}
	return ok
}

// begin has what is in the directory of an operand copied.
func (w *worker) begin(ctx context.Context, it *item) {
	p := w.pool(ctx, it)
	p.Put(p.task(it.child))
}

// ordered reports whether everything is done in cp's order: questions are asked, or there is
// only one worker.
func (w *worker) ordered() bool { return w.Interactive || w.Threads == 1 }

// enters reports whether an operand is a directory to copy, and whether it is copied into
// itself. Directories are begun one after the other. If looking at the operand fails, it
// may be such a directory.
func (w *worker) enters(it *item) (enters, circular bool) {
	if !w.Recursive {
		return false, false
	}
	attr, err := it.Src.At.Stat(it.Src.Name, it.Follow)
	if err != nil {
		return true, true
	}
	if !attr.Mode.IsDir() {
		return false, false
	}
	return true, entry.IsBelow(entry.DirName(it.Dst.String()), attr.ID())
}

// apart knows which operands can be copied at the same time as others.
type apart struct {
	target vfs.ID
	follow bool            // links among the operands
	names  map[string]bool // where operands went, or must not go while others do; nil: all have to wait
	below  map[string]bool // directories of operands: they are in the target
}

// apart returns what is known before the first operand.
func (w *worker) apart(target string) *apart {
	a := new(apart)
	at, err := localfs.Cwd.Peek(target)
	if err != nil {
		return a
	}
	defer at.Close()
	attr, err := at.Stat(".", true)
	if err != nil || !w.listsSources || w.Parents || w.ordered() || w.Backup != policy.NoBackups || w.shared.Volumes.Of(attr.Dev, at).Folds {
		return a
	}
	names := make(map[string]bool)
	err = at.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if policy.IsLink(e.Type) {
				names[e.Name] = true // what it leads to may be another operand's
			}
		}
		return nil
	})
	if err == nil {
		a.target, a.follow, a.names, a.below = attr.ID(), w.Follow != policy.FollowNone, names, make(map[string]bool)
	}
	return a
}

// may reports whether src may be copied under a name while others are: no other operand goes
// there, and it neither is in the target, where others write, nor a link that leads there.
func (a *apart) may(src, name string) bool {
	if a.names == nil || a.names[name] || name == "" || name == "." {
		return false
	}
	a.names[name] = true
	dir := entry.DirName(src)
	below, known := a.below[dir]
	if !known {
		below = entry.IsBelow(dir, a.target)
		a.below[dir] = below
	}
	return !below && !(a.follow && entry.LeadsInto(src, a.target))
}

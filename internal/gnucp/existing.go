package gnucp

import (
	"errors"
	"syscall"
	"time"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/quote"
	"psync/internal/vfs"
)

// facts answers the questions of [policy.Options.Existing].
type facts struct {
	w  *worker
	it *item
}

func (f facts) Source(follow bool) (vfs.Attr, error) { return f.it.Src.At.Stat(f.it.Src.Name, follow) }

func (f facts) Dest(follow bool) (vfs.Attr, error) { return f.it.Dst.At.Stat(f.it.Dst.Name, follow) }

func (f facts) SameName() bool { return entry.SameName(f.it.Src, f.it.Dst) }

func (f facts) Consent() bool { return f.w.mayOverwrite(f.it) }

func (f facts) JustMade() bool { return f.w.dests.Holds(f.it.Dst.String(), *f.it.Was) }

func (f facts) Granularity() time.Duration {
	at, err := f.it.Dst.At.Peek(entry.DirName(f.it.Dst.Name))
	if err != nil {
		return 0
	}
	defer at.Close()
	v, _ := at.Statfs() // 0 if nothing is known
	return v.Granularity
}

// overwrite handles an existing destination. done reports whether nothing is left to do, and ok then reports
// whether that is a success.
func (w *worker) overwrite(it *item) (done, ok bool) {
	if it.Was == nil {
		return false, false
	}
	pair := &policy.Pair{Src: it.Attr, Dst: *it.Was, Follow: it.Follow, Operand: it.top}
	switch w.Existing(pair, facts{w, it}) {
	case policy.Merge:
		return false, false
	case policy.Overwrite:
		return !w.makeRoom(it, pair), false
	case policy.Leave:
		return true, true
	case policy.LeaveCurrent:
		return true, w.skipCurrent(it)
	case policy.Skip:
		w.skip(it)
		return true, w.Update == policy.UpdateNone
	case policy.RefuseSameFile:
		return true, it.Out.Refuse("%s and %s are the same file", it.Src, it.Dst)
	case policy.RefuseNonDirectory:
		return true, it.Out.Refuse("cannot overwrite non-directory %s with directory %s", it.Dst, it.Src)
	case policy.RefuseDirectory:
		return true, it.Out.Refuse("cannot overwrite directory %s with non-directory", it.Dst)
	}
	return true, it.Out.Refuse("will not overwrite just-created %s with %s", it.Dst, it.Src)
}

// makeRoom renames or removes an existing file that must not be written into.
func (w *worker) makeRoom(it *item, pair *policy.Pair) bool {
	src := it.Src.String()
	switch w.MakeRoom(pair, entry.DestName(src) == "." || entry.LastElement(src) == "..") {
	case policy.BackUp:
		return w.backUp(it)
	case policy.Remove:
		if err := it.Dst.At.Remove(it.Dst.Name); err != nil && !errors.Is(err, syscall.ENOENT) {
			return it.Out.Fail(err, "cannot remove %s", it.Dst)
		}
		it.New = true
		if w.Verbose {
			it.Out.Say("removed %s\n", it.Dst)
		}
	}
	return true
}

// skipCurrent leaves a file unchanged. But if hard links are preserved and the source is one of several names
// of a file, the destination becomes a hard link to the copy of that file.
func (w *worker) skipCurrent(it *item) bool {
	if w.TracksLinks(&it.Attr, it.Follow) {
		earlier, mine := w.copies.claim(it)
		if mine {
			w.copies.finish(earlier, true)
		} else if <-earlier.done; earlier.ok && !w.linkCopy(it, earlier) {
			return false
		}
	}
	w.skip(it)
	return true
}

// mayOverwrite asks the user whether to overwrite the destination.
func (w *worker) mayOverwrite(it *item) bool {
	mode := it.Was.Mode
	name, bits, rights := output.Plain(w.Name), vfs.UnixMode(mode), output.Plain(quote.Permissions(mode))
	switch unwritable := !policy.IsLink(it.Was.Mode) && !w.shared.Root && it.Dst.At.Writable(it.Dst.Name) != nil; {
	case !unwritable:
		it.Out.Prompt("%s: overwrite %s? ", name, it.Dst)
	case w.Force || w.RemoveDestination:
		it.Out.Prompt("%s: replace %s, overriding mode %04o (%s)? ", name, it.Dst, bits, rights)
	default:
		it.Out.Prompt("%s: unwritable %s (mode %04o, %s); try anyway? ", name, it.Dst, bits, rights)
	}
	return w.answer()
}

// answer reads a line and reports whether the answer is yes. It consumes only that line, because others may
// read the rest of the input.
func (w *worker) answer() bool {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := w.Stdin.Read(b)
		if n > 0 && b[0] != '\n' {
			line = append(line, b[0])
			continue
		}
		if n > 0 || err != nil {
			break
		}
	}
	return len(line) > 0 && (line[0] == 'y' || line[0] == 'Y')
}

// skip reports that an existing file stays unchanged.
func (w *worker) skip(it *item) {
	switch {
	case w.Update == policy.UpdateNoneFail:
		it.Out.Warn("not replacing %s", it.Dst)
	case w.Debug:
		it.Out.Say("skipped %s\n", it.Dst)
	}
}

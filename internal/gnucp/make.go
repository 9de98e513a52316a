package gnucp

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/report"
	"psync/internal/vfs"
)

// linkCopy makes the destination a hard link to an earlier copy.
func (w *worker) linkCopy(it *item, earlier *copied) bool {
	old := &item{node: earlier.in, Copy: entry.Copy{Dst: earlier.place, Out: it.Out}}
	linked := w.inDirectory(old, func() bool { return w.link(it, old.Dst, it.Follow, true, w.Verbose) })
	if !linked {
		w.restore(it)
		return false
	}
	w.count.Add(report.HardLinked, 1)
	return true
}

// linkTo makes a hard link to the source.
func (w *worker) linkTo(it *item) bool {
	return w.link(it, it.Src, it.Follow, w.Force || w.Interactive, false)
}

// link makes the destination another name of old. If replace is true, the destination may exist; report says
// whether to report its removal.
func (w *worker) link(it *item, old entry.Place, follow, replace, report bool) bool {
	create := func(name string) error { return it.Dst.At.Link(old.At, old.Name, name, follow) }
	err := create(it.Dst.Name)
	replace = replace && errors.Is(err, syscall.EEXIST)
	if replace {
		err = w.replace(it.Dst, create)
	}
	if err != nil {
		return it.Out.Fail(err, "cannot create hard link %s to %s", it.Dst, old)
	}
	if replace && report {
		it.Out.Say("removed %s\n", it.Dst)
	}
	return true
}

// symlink makes a symbolic link like the source.
func (w *worker) symlink(it *item) bool {
	target, err := it.Src.At.Readlink(it.Src.Name)
	if err != nil {
		return it.Out.Fail(err, "cannot read symbolic link %s", it.Src)
	}
	if err := w.point(it.Dst, target); err != nil && !w.pointsAlready(it, target) {
		return it.Out.Fail(err, "cannot create symbolic link %s", it.Dst)
	}
	if w.Preserve.Ownership {
		err := it.Dst.At.Lchown(it.Dst.Name, int(it.Attr.UID), int(it.Attr.GID))
		if err != nil && !w.shared.MayIgnore(err) {
			it.Out.Fail(err, "failed to preserve ownership for %s", output.Plain(it.Dst.String())) // the wording of cp
			return !w.Preserve.Required
		}
	}
	return true
}

// pointsAlready reports whether the destination of an update is already the wanted link.
func (w *worker) pointsAlready(it *item, target string) bool {
	if w.Update != policy.UpdateOlder || it.New || it.Was == nil || !policy.IsLink(it.Was.Mode) {
		return false
	}
	now, err := it.Dst.At.Readlink(it.Dst.Name)
	return err == nil && now == target
}

// pointTo makes a symbolic link to the source.
func (w *worker) pointTo(it *item) bool {
	src := it.Src.String()
	if src == "" || src[0] != '/' {
		if here, err := w.isHere(it.Dst); err == nil && !here {
			return it.Out.Refuse("%s: can make relative symbolic links only in current directory", output.Leading(it.Dst.String()))
		}
	}
	if err := w.point(it.Dst, src); err != nil {
		return it.Out.Fail(err, "cannot create symbolic link %s to %s", it.Dst, src)
	}
	return true
}

// isHere reports whether a place is in the working directory.
func (w *worker) isHere(p entry.Place) (bool, error) {
	here, err := w.Host.Stat(".", vfs.Follow)
	if err != nil {
		return false, err
	}
	parent, err := w.Host.Stat(entry.DirName(p.String()), vfs.Follow)
	return here.ID() == parent.ID(), err
}

// point makes a symbolic link. With --force, the link replaces an existing entry.
func (w *worker) point(dst entry.Place, target string) error {
	err := dst.At.Symlink(target, dst.Name)
	if errors.Is(err, syscall.EEXIST) && w.Force {
		return w.replace(dst, func(name string) error { return dst.At.Symlink(target, name) })
	}
	return err
}

// special makes a fifo, a socket or a device.
func (w *worker) special(it *item) bool {
	what := output.Plain("special file")
	if it.Attr.Mode.Type() == fs.ModeNamedPipe {
		what = "fifo"
	}
	if err := it.Dst.At.Mknod(it.Dst.Name, it.Attr.Mode&^w.Omitted(it.Attr.Mode), it.Attr.Rdev); err != nil {
		return it.Out.Fail(err, "cannot create %s %s", what, it.Dst)
	}
	w.count.Add(report.SpecialsMade, 1)
	return true
}

// replace calls create with a temporary name beside dst, and renames the new entry to dst. The temporary is called as
// those of files are, so that a later run finds what a killed one has left.
func (w *worker) replace(dst entry.Place, create func(name string) error) error {
	dir := dst.Name[:len(dst.Name)-len(entry.LastElement(dst.Name))]
	newTemporary := nameOfCp
	if w.NewTemporary != nil {
		w.files.Sweep(dst)
		newTemporary = w.NewTemporary
	}
	for range 1000 { // an upper bound on the names that other processes could have taken
		temp := dir + newTemporary()
		err := create(temp)
		if errors.Is(err, syscall.EEXIST) {
			continue
		}
		if err != nil {
			return err
		}
		err = dst.At.Rename(temp, dst.Name)
		// If both are already names of one file, rename(2) leaves both.
		if removed := dst.At.Remove(temp); err == nil && !errors.Is(removed, syscall.ENOENT) {
			err = removed
		}
		return err
	}
	return syscall.EEXIST
}

// nameOfCp returns a temporary name as cp makes them: Cu, and six letters and digits at random.
func nameOfCp() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	var suffix [6]byte
	for i := range suffix {
		suffix[i] = letters[rand.IntN(len(letters))]
	}
	return "Cu" + string(suffix[:])
}

// announce reports the source and the destination of a copy.
func (w *worker) announce(it *item) {
	if !w.Verbose {
		return
	}
	if it.backup != "" {
		it.Out.Say("%s -> %s (backup: %s)\n", it.Src, it.Dst, it.Dst.Beside(it.backup))
		return
	}
	it.Out.Say("%s -> %s\n", it.Src, it.Dst)
}

// record adds the destination of an operand to the known destinations.
func (w *worker) record(it *item) {
	if it.top && w.listsSources {
		if attr, err := it.Dst.At.Stat(it.Dst.Name, false); err == nil {
			w.dests.Add(it.Dst.String(), attr)
		}
	}
}

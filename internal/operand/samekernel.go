package operand

import (
	"fmt"
	"strings"

	"psync/internal/vfs"
)

// sameKernel reports whether two hosts are known to be one running system, which two accounts may reach.
func sameKernel(a, b vfs.Host) bool {
	x, y := a.Kernel(), b.Kernel()
	return x.Boot != "" && x.Boot == y.Boot && x.Machine == y.Machine
}

// AreOneSystem reports whether both hosts are known to be one running system.
func (hs Hosts) AreOneSystem() bool {
	return hs.Source.same(hs.Dest) || sameKernel(hs.Source, hs.Dest)
}

// sameEntry reports whether entries that two hosts of one running system show are the same.
func sameEntry(a, b vfs.Attr) bool {
	return found(a) && a.Ino == b.Ino && vfs.SystemDev(a.Dev) == vfs.SystemDev(b.Dev)
}

// seenBySource returns a path by which the source's host knows the directory at path on the destination's host,
// or that which would be made there. It reports false if the source's host cannot see it.
func (hs Hosts) seenBySource(path string) (seen string, ok bool, err error) {
	if hs.Source.same(hs.Dest) {
		return path, true, nil
	}
	nearest, missing, err := nearestDir(hs.Dest, path)
	if err != nil {
		return "", false, err
	}
	resolved, err := hs.Dest.Resolve(nearest)
	if err != nil {
		return "", false, err
	}
	want, err := hs.Dest.Stat(resolved)
	if err != nil {
		return "", false, err
	}
	// An error means that the account of the source may not look there, or has another root directory.
	got, err := hs.Source.Stat(resolved)
	return under(resolved, missing), err == nil && sameEntry(got, want), nil
}

// checkUnseen does what [Options.checkOverlap] does for a destination that the source's host cannot see, by the
// directories above both operands. Rules are not considered, for the path from one to the other is unknown.
func (o Options) checkUnseen(p placement, dest string) error {
	from, to := o.Hosts.Source, o.Hosts.Dest
	for _, t := range p.trees() {
		target := under(dest, join(t.into, t.name))
		there, err := statIfExists(to, target)
		if err != nil {
			return err
		}
		here, err := statIfExists(from, t.path)
		switch {
		case err != nil:
			return err
		case !here.Mode.IsDir():
			continue
		case sameEntry(here, there):
			return fmt.Errorf("%s and %s: %w", from.called(t.path), to.called(target), ErrSame)
		}
		if below, err := isBelow(to, dest, here); below || err != nil {
			return firstError(err, &OverlapError{Dest: to.called(dest), Source: from.called(t.path)})
		}
		if below, err := isBelow(from, t.path, there); below || err != nil {
			return firstError(err, fmt.Errorf("%s is inside %s: %w", from.called(t.path), to.called(target), ErrSourceInDest))
		}
	}
	return nil
}

// isBelow reports whether the directory at path, or the nearest one above it that exists, is one that a host of the
// same running system shows as dir, or lies below that.
func isBelow(h vfs.Host, path string, dir vfs.Attr) (bool, error) {
	nearest, _, err := nearestDir(h, path)
	if err != nil {
		return false, err
	}
	at, err := h.Resolve(nearest)
	for err == nil {
		var attr vfs.Attr
		if attr, err = h.Stat(at); err == nil && sameEntry(attr, dir) {
			return true, nil
		}
		if at == "/" || !strings.HasPrefix(at, "/") {
			break
		}
		at = above(at)
	}
	return false, err
}

func firstError(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

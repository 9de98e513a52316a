package operand

import (
	"cmp"
	"fmt"
	"strings"

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// AreOneSystem reports whether both hosts are known to be one running system, perhaps with two accounts.
func (hs Hosts) AreOneSystem() bool {
	if hs.Source.same(hs.Dest) {
		return true
	}
	boot := hs.Source.bootID()
	return boot != "" && boot == hs.Dest.bootID()
}

// bootID identifies the running system of h, or is empty if that is unknown. That of this host is read when it is needed.
func (h Host) bootID() string {
	if h.IsRemote() {
		return h.Info().BootID
	}
	return localfs.BootID()
}

// sameEntry reports whether entries of two hosts of one running system are the same.
func sameEntry(a, b vfs.Attr) bool {
	return found(a) && a.Ino == b.Ino && vfs.SystemDev(a.Dev) == vfs.SystemDev(b.Dev)
}

// seenBySource returns the path on the source's host of the directory that is, or would be made, at path on the
// destination's host. ok is false if the source's host cannot see the directory.
func (hs Hosts) seenBySource(path string) (seen string, ok bool, err error) {
	if hs.Source.same(hs.Dest) {
		return path, true, nil
	}
	nearest, missing, err := NearestDir(hs.Dest, path)
	if err != nil {
		return "", false, err
	}
	resolved, err := hs.Dest.Resolve(nearest)
	if err != nil {
		return "", false, err
	}
	want, err := hs.Dest.Stat(resolved, vfs.Follow)
	if err != nil {
		return "", false, err
	}
	// An error means that the source's account has no access, or has another root directory.
	got, err := hs.Source.Stat(resolved, vfs.Follow)
	return under(resolved, missing), err == nil && sameEntry(got, want), nil
}

// checkUnseen does the checks of [Options.checkOverlap] for a destination that the source's host cannot see,
// using the directories above both operands. It ignores filter rules, because the path from one operand to the
// other is unknown.
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
			return fmt.Errorf("%s and %s: %w", from.Called(t.path), to.Called(target), ErrSame)
		}
		if below, err := isBelow(to, dest, here); below || err != nil {
			return cmp.Or[error](err, &OverlapError{Dest: to.Called(dest), Source: from.Called(t.path)})
		}
		if below, err := isBelow(from, t.path, there); below || err != nil {
			return cmp.Or(err, fmt.Errorf("%s is inside %s: %w", from.Called(t.path), to.Called(target), ErrSourceInDest))
		}
	}
	return nil
}

// isBelow reports whether the directory at path, or the nearest existing one above it, is dir or lies below dir,
// where dir has the attributes that another host of the same running system returned.
func isBelow(h vfs.Host, path string, dir vfs.Attr) (bool, error) {
	nearest, _, err := NearestDir(h, path)
	if err != nil {
		return false, err
	}
	at, err := h.Resolve(nearest)
	for err == nil {
		var attr vfs.Attr
		if attr, err = h.Stat(at, vfs.Follow); err == nil && sameEntry(attr, dir) {
			return true, nil
		}
		if at == "/" || !strings.HasPrefix(at, "/") {
			break
		}
		at = above(at)
	}
	return false, err
}

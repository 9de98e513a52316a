package retry

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// A handle makes the calls of a [vfs.Node], which may be a file, through do.
type handle[N vfs.Node] struct {
	do func(f func(N) error) error
}

// get makes a call that returns something through do.
func get[N, T any](do func(func(N) error) error, f func(N) (T, error)) (r T, err error) {
	err = do(func(n N) (err error) {
		r, err = f(n)
		return err
	})
	return r, err
}

// at returns the function do for an entry of d.
func (d *dir) at(name string) func(func(vfs.Dir) error) error {
	return func(f func(vfs.Dir) error) error { return d.do(name, f) }
}

func (h handle[N]) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	return get(h.do, func(n N) (vfs.Attr, error) { return n.Statx(want) })
}

func (h handle[N]) Set(changes []vfs.Change) []error {
	return set(changes, h.do, func(n N) []error { return n.Set(changes) })
}

// set makes changes through do. If one fails because of an outage, all are repeated, since repeating a change does no harm. An
// extended attribute may then have been removed already.
func set[N any](changes []vfs.Change, do func(func(N) error) error, f func(N) []error) (errs []error) {
	var worst error
	err := do(func(n N) error {
		mayBeDone := outcome.MayBeOutage(worst)
		errs, worst = f(n), nil
		for i, err := range errs {
			if mayBeDone && changes[i].Kind == vfs.XattrRemoval && errors.Is(err, fs.ErrNotExist) {
				errs[i] = nil
			} else if suspicion(err) > suspicion(worst) {
				worst = err
			}
		}
		return worst
	})
	if err != worst {
		return []error{err}
	}
	return errs
}

// suspicion ranks an error by how likely an outage has caused it. Of several errors, the highest-ranked one goes to do,
// which decides by it whether to repeat the call.
func suspicion(err error) int {
	switch {
	case outcome.IsOutage(err):
		return 3
	case outcome.IsDenied(err):
		return 2
	case errors.Is(err, syscall.ENOENT): // see volume.doubts
		return 1
	}
	return 0
}

func (h handle[N]) Flags() (uint32, error) {
	return get(h.do, func(n N) (uint32, error) { return n.Flags() })
}

func (h handle[N]) Xattrs(acls bool) ([]string, error) {
	return get(h.do, func(n N) ([]string, error) { return n.Xattrs(acls) })
}

func (h handle[N]) Xattr(name string) ([]byte, error) {
	return get(h.do, func(n N) ([]byte, error) { return n.Xattr(name) })
}

func (h handle[N]) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	return get(h.do, func(n N) (int, error) { return n.ReadXattrAt(name, p, off) })
}

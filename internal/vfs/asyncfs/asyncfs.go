// Package asyncfs has a directory behave as one of a host far away: entries that could not be made say so later, and
// several operations on an entry are carried out at once. Only tests import it.
package asyncfs

import (
	"errors"
	"io/fs"
	"sync"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// New returns d with asynchronous calls. It is on a network file system on which times stay that are set on open files. What
// reaches d is what the host would be asked to do.
func New(d vfs.Dir) vfs.Dir { return &dir{d, new(failures)} }

// failures are those of directories that could not be made, until they are opened.
type failures struct {
	mu sync.Mutex // guards m
	m  map[entry]error
}

// An entry is a name in a directory.
type entry struct {
	in   vfs.ID
	name string
}

// set sets, and take returns and forgets, the failure of an entry of d.
func (f *failures) set(d vfs.Dir, name string, failure error) error {
	attr, err := vfs.Lstat(d, ".")
	if err != nil {
		return vfs.JoinErrors(failure, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.m == nil {
		f.m = make(map[entry]error)
	}
	f.m[entry{attr.ID(), name}] = failure
	return nil
}

func (f *failures) take(d vfs.Dir, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.m) == 0 {
		return nil
	}
	attr, err := vfs.Lstat(d, ".")
	if err != nil {
		return err
	}
	e := entry{attr.ID(), name}
	defer delete(f.m, e)
	return f.m[e]
}

type dir struct {
	vfs.Dir
	failures *failures
}

// Unwrap returns the Dir within.
func (d *dir) Unwrap() vfs.Dir { return d.Dir }

func (d *dir) Caps() vfs.Caps {
	return d.Dir.Caps() | vfs.CanCreateAsync | vfs.CanMkdirAsync
}

// Set makes changes of all kinds.
func (d *dir) Set(name string, changes []vfs.Change) []error {
	n, err := d.Dir.Node(name)
	if err != nil {
		return d.Dir.Set(name, changes)
	}
	defer vfs.CloseUnwritten(n)
	return n.Set(changes)
}

func (d *dir) Statfs() (vfs.Volume, error) {
	v, err := d.Dir.Statfs()
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return v, err
	}
	v.Network, v.TimesStay = true, true
	return v, nil
}

// opened wraps a directory or file that was opened.
func (d *dir) opened(sub vfs.Dir, err error) (vfs.Dir, error) {
	if err != nil {
		return nil, err
	}
	return &dir{sub, d.failures}, nil
}

func (d *dir) Make(name string, s vfs.Spec) error {
	err := d.Dir.Make(name, s)
	if err != nil && s.Async {
		return d.failures.set(d.Dir, name, err)
	}
	return err
}

func (d *dir) MakeDirs(dirs []vfs.NewDir) (wait func() []error, err error) {
	errs := make([]error, len(dirs))
	for i := range dirs {
		errs[i] = dirs[i].Make(d.Dir)
	}
	return func() []error { return errs }, nil
}

// OpenDir opens a directory, which may be one that was not made.
func (d *dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	if how != vfs.Parent {
		if err := d.failures.take(d.Dir, name); err != nil {
			return &unmadeDir{faultfs.New(d.Dir, func(string, string) error { return err })}, nil
		}
	}
	return d.opened(d.Dir.OpenDir(name, how))
}

// An unmadeDir stands for a directory that could not be made, and says so when anything is done in it but to make
// further ones.
type unmadeDir struct{ vfs.Dir }

func (d *unmadeDir) Make(string, vfs.Spec) error                   { return nil }
func (d *unmadeDir) MakeDirs([]vfs.NewDir) (func() []error, error) { return nil, errors.ErrUnsupported }
func (d *unmadeDir) OpenDir(string, vfs.Resolve) (vfs.Dir, error)  { return d, nil }
func (d *unmadeDir) Caps() vfs.Caps                                { return vfs.CanMkdirAsync }
func (d *unmadeDir) Close() error                                  { return nil }

func (d *dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode != vfs.CreateAsync {
		return d.Dir.OpenFile(name, mode, perm)
	}
	f, err := d.Dir.OpenFile(name, vfs.Create, perm)
	if err != nil {
		f = &unmade{err: err}
	}
	return &file{f, d.Dir, name, err}, nil
}

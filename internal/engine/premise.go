package engine

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A premise is the reason why entries of the destination are removed: the source directory of dir
// has no entry called name that is to be copied.
//
// That was true when the source was listed, which may be long ago: while this run was suspended, or
// waited for a server, the source may have got such an entry, and another run may have copied it. So
// the name is looked up once more right before each entry is removed. For what is in a directory that is
// removed, that is the name of the topmost such directory. The race that remains is that between
// the two system calls.
type premise struct {
	dir  *dirInfo
	pair pair // of dir, if it is open; otherwise zero
	name string
	// replaces says that the source does have such an entry, which is not a directory and
	// replaces one, so that the contents of that directory are removed.
	replaces bool

	failed sync.Once   // a failure to look up the name was reported
	pruned atomic.Bool // the source has a directory of that name, but it is empty and so not copied
}

// premiseFor returns the premise for removing an entry of d, or nil if that does not depend on a source.
func premiseFor(d *directory, name string) *premise {
	if d.premise != nil || d.src == nil {
		return d.premise
	}
	return &premise{dir: d.dirInfo, pair: d.pair, name: name}
}

// stillHolds checks in the source whether a premise still holds. If that fails, stillHolds reports the
// failure, but only once, and returns false, so that nothing is removed.
func (w *worker) stillHolds(p *premise) bool {
	if p == nil || w.DryRun || p.pruned.Load() {
		return true
	}
	d := p.dir.open(p.pair)
	side := onSource
	var err error
	if d.src == nil {
		if d.pair, side, err = d.task.dirs.use(); err == nil {
			defer d.task.dirs.done()
		}
	}
	holds := false
	if err == nil {
		side = onSource
		holds, err = w.checkPremise(d, p)
	}
	if err != nil {
		p.failed.Do(func() { w.fail(d, side, p.name, err) })
	}
	return holds && err == nil
}

// checkPremise reports whether a premise holds, given d with an open source.
func (w *worker) checkPremise(d *directory, p *premise) (bool, error) {
	if is, err := w.sourceInPlace(d); !is {
		return false, err
	}
	if p.replaces {
		attr, err := w.stat(d, p.name)
		return err == nil && !attr.Mode.IsDir(), ignoreNotExist(err)
	}
	attr, err := d.src.Lstat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		other, err := w.gainedAlias(d, p.name)
		return !other, err
	case err != nil:
		return false, err
	}
	e := vfs.Entry{Name: p.name, Type: attr.Mode.Type()}
	if w.Prune && attr.Mode.IsDir() && !w.selector.IsExcluded(w.sourceDir(d), e) && !w.selector.HoldsFiles(d.src, e.Name, d.path(e.Name)) {
		p.pruned.Store(true)
		return true, nil
	}
	return w.selector.IsExcluded(w.sourceDir(d), e), nil
}

// sourceInPlace reports whether the open source directory of d is still the one at its path. If
// another one has taken its place, that may have names that this one lacks. The path is
// resolved again only if the change time of the directory has moved since it was listed, as it does
// when the directory is renamed. Renaming one of its ancestors goes unnoticed.
func (w *worker) sourceInPlace(d *directory) (bool, error) {
	now, err := d.src.Lstat(".")
	switch {
	case err != nil:
		return false, ignoreNotExist(err)
	case now.Nlink == 0:
		return false, nil // it was removed
	case now.ID() != d.attr.ID():
		return false, errSwapped
	case now.Ctime == d.attr.Ctime || d.task.Path == "":
		return true, nil
	}
	at := w.roots[d.task.Source]
	root, _, err := at.use()
	if err != nil {
		return false, err
	}
	defer at.done()
	again, err := openBelow(root.src, d.task.Path, w.Links.Follows())
	if err != nil {
		return false, ignoreNotExist(err)
	}
	defer again.Close()
	there, err := again.Lstat(".")
	if err == nil && there.ID() != now.ID() {
		err = errSwapped
	}
	return err == nil, err
}

// ignoreNotExist returns err unless it says that an entry does not exist.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A relisting caches which names a source directory has that was listed again, for a destination
// that does not distinguish all names.
type relisting struct {
	mu    sync.Mutex      // guards what follows
	mtime time.Time       // of the source directory when it was listed again
	keys  map[string]bool // of its names; the names that the destination does not distinguish have one key
}

// gainedAlias reports whether the source directory, since it was listed, has got a name that the
// destination may not distinguish from name. It lists the source again only if its modification time
// has changed.
func (w *worker) gainedAlias(d *directory, name string) (bool, error) {
	r := d.relisted
	if r == nil {
		return false, nil
	}
	now, err := d.src.Lstat(".")
	if err != nil {
		return false, err
	}
	if now.Mtime.Equal(d.attr.Mtime) {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fold := metadata.Folding(true)
	if r.keys == nil || !r.mtime.Equal(now.Mtime) {
		keys := make(map[string]bool)
		err := d.src.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				if !w.selector.IsExcluded(w.sourceDir(d), e) {
					keys[fold.Key(e.Name)] = true
				}
			}
			return nil
		})
		if err != nil {
			return false, err
		}
		r.mtime, r.keys = now.Mtime, keys
	}
	return r.keys[fold.Key(name)], nil
}

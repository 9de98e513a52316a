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

// A premise is the reason for which entries of the destination are removed: that the source
// directory of dir has no entry called name that takes part in the copy.
//
// It held when the source was listed, which may be long ago: a run may be stopped, or a server
// not answer, while the source gets an entry that another run copies. So the source is asked for
// the name once more right before each entry is removed; for what is in a directory that goes, for the
// name of the topmost directory. What remains is the time between the two system calls.
type premise struct {
	dir  *directory
	name string
	// replaces says that the source has an entry of that name, which is no directory
	// and takes the place of one.
	replaces bool

	failed sync.Once   // a failure to ask was reported
	pruned atomic.Bool // the source's is a directory that is left out because it holds nothing
}

// premiseFor returns why an entry of d is removed, or nil if that is not for the sake of a source.
func premiseFor(d *directory, name string) *premise {
	if d.premise != nil || d.src == nil {
		return d.premise
	}
	return &premise{dir: d, name: name}
}

// holdsStill asks the source whether a premise still holds. If it cannot tell, nothing is
// removed, and the failure is reported once.
func (w *worker) holdsStill(p *premise) bool {
	if p == nil || w.DryRun || p.pruned.Load() {
		return true
	}
	d := *p.dir
	side := onSource
	var err error
	if d.src == nil {
		k := d.key()
		if d.pair, side, err = w.handles.use(k); err == nil {
			defer w.handles.done(k)
		}
	}
	holds := false
	if err == nil {
		side = onSource
		holds, err = w.asks(&d, p)
	}
	if err != nil {
		p.failed.Do(func() { w.fail(&d, side, p.name, err) })
	}
	return holds && err == nil
}

// asks reports whether a premise holds for the source of d, which is open.
func (w *worker) asks(d *directory, p *premise) (bool, error) {
	if is, err := w.isInPlace(d); !is {
		return false, err
	}
	if p.replaces {
		attr, err := w.stat(d, p.name)
		return err == nil && !attr.Mode.IsDir(), ignoreMissing(err)
	}
	attr, err := d.src.Lstat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		other, err := w.hasOtherSpelling(d, p.name)
		return !other, err
	case err != nil:
		return false, err
	}
	e := vfs.Entry{Name: p.name, Type: attr.Mode.Type()}
	if w.Prune && attr.Mode.IsDir() && !w.leftOut(d, e) && !w.holds(d.src, e.Name, d.path(e.Name)) {
		p.pruned.Store(true)
		return true, nil
	}
	return w.leftOut(d, e), nil
}

// isInPlace reports whether the source of d, which is open, still is the directory that its path leads
// to: another one may have taken its place, which has names that this one lacks. The path is walked
// once more only if the directory has changed since it was listed, as it does when it is
// renamed. That a directory above it was renamed does not show.
func (w *worker) isInPlace(d *directory) (bool, error) {
	now, err := d.src.Lstat(".")
	switch {
	case err != nil:
		return false, ignoreMissing(err)
	case now.Nlink == 0:
		return false, nil // it was removed
	case now.ID() != d.attr.ID():
		return false, errSwapped
	case now.Ctime == d.attr.Ctime || d.task.Path == "":
		return true, nil
	}
	root, done, err := w.handles.useRoot(d.task.Source)
	if err != nil {
		return false, err
	}
	defer done()
	again, err := openBelow(root.src, d.task.Path, w.Links.follow())
	if err != nil {
		return false, ignoreMissing(err)
	}
	defer again.Close()
	there, err := again.Lstat(".")
	if err == nil && there.ID() != now.ID() {
		err = errSwapped
	}
	return err == nil, err
}

// leftOut reports whether an entry of the source counts as lacking. A link that is followed may
// lead to a directory, for which there are other rules.
func (w *worker) leftOut(d *directory, e vfs.Entry) bool {
	if d.srcVolume != nil && d.srcVolume.Companions && isCompanion(d.src, e.Name) {
		return true
	}
	link := e.Type == fs.ModeSymlink && w.Links != (Links{})
	return w.hides(d, e.Name, e.Type.IsDir()) && (!link || w.hides(d, e.Name, true))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A relisting is what the source of a directory has got since it was listed, by the keys under which
// the destination takes several names for one.
type relisting struct {
	mu    sync.Mutex // guards what follows
	mtime time.Time  // of the source when keys were listed
	keys  map[string]bool
}

// hasOtherSpelling reports whether the destination may take name for one that the source has got since it
// was listed. The source is listed again only if its time has changed.
func (w *worker) hasOtherSpelling(d *directory, name string) (bool, error) {
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
				if !w.leftOut(d, e) {
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

package engine

import (
	"errors"
	"io/fs"
	"strings"
	"sync"

	"psync/internal/queue"
	"psync/internal/vfs"
)

// Where links of the destination to directories are kept, one may lead to a directory of the
// destination that the source lacks under its own name, or has there as well. It must not be
// removed then, and what belongs into it depends on all the names that lead to it. Which
// those are is known when everything is copied, so all removals wait for that.

var (
	errShared  = errors.New("several directories of the source lead to it by links of the destination, so nothing is removed from it")
	errInUse   = errors.New("is a directory that a link of the destination leads to, and what that link stands for was copied there")
	errCutLink = errors.New("no longer leads to a directory, for something on the way was not in the source and was removed; sync once more")
)

// reached is what a copy that keeps links found to lead where.
type reached struct {
	mu    sync.Mutex // guards what follows
	dirs  map[vfs.ID]int
	links []entryKey
}

// waitsForLinks reports whether nothing is removed until it is known where all links
// of the destination lead.
func (w *worker) waitsForLinks() bool { return w.Delete.On && w.Links.KeepDirlinks }

// noteReached records that the source has d, which is copied to where the destination of d is.
func (w *worker) noteReached(d *directory) {
	if !w.waitsForLinks() || d.task.Kind != queue.Copy || !w.copiesItself(d) {
		return
	}
	w.reached.mu.Lock()
	defer w.reached.mu.Unlock()
	if w.reached.dirs == nil {
		w.reached.dirs = make(map[vfs.ID]int)
	}
	w.reached.dirs[d.destAttr.ID()]++
}

// noteLink records a link of the destination of d that stands for a directory.
func (w *worker) noteLink(d *directory, name string) {
	if !w.waitsForLinks() {
		return
	}
	w.reached.mu.Lock()
	defer w.reached.mu.Unlock()
	w.reached.links = append(w.reached.links, entryKey{d.key(), strings.Clone(name)})
}

// sources returns how many directories of the source are copied to a directory of the destination.
func (r *reached) sources(id vfs.ID) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dirs[id]
}

// leavesDirectory returns why the directory called name in the destination of d must not
// make way for something else.
func (w *worker) leavesDirectory(d *directory, name string) error {
	if !w.waitsForLinks() {
		return nil
	}
	attr, err := d.dst.Lstat(name)
	if err == nil && w.reached.sources(attr.ID()) > 0 {
		err = errInUse
	}
	return err
}

// checkLinks makes sure that links of the destination which stand for directories still
// lead to those when everything else is removed.
func (r *run) checkLinks() {
	w := r.worker()
	for _, l := range r.reached.links {
		d := &directory{task: queue.Task{Source: l.source, Path: l.path}, into: r.Sources[l.source].Into}
		p, side, err := r.handles.use(l.key)
		if err == nil {
			side = onDest
			err = leadsToOneOf(&r.reached, p.dst, l.name)
			r.handles.done(l.key)
		}
		if err != nil {
			w.failDir(d, side, l.name, err)
		}
	}
}

func leadsToOneOf(r *reached, dst vfs.Dir, name string) error {
	f, ok := dst.(vfs.Follower)
	if !ok {
		return nil // it was not followed before
	}
	attr, err := f.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && r.sources(attr.ID()) == 0 {
		return errCutLink
	}
	return err
}

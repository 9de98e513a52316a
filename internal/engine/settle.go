package engine

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A deferredMode is that of a directory whose owner is to lose rights that
// the workers below it still need.
type deferredMode struct {
	d    *directory // without open directories
	mode fs.FileMode
}

func (m deferredMode) depth() int {
	if m.d.task.Path == "" {
		return 0
	}
	return 1 + strings.Count(m.d.task.Path, "/")
}

// deferMode leaves the mode of d to settle.
func (w *worker) deferMode(d *directory, mode fs.FileMode) {
	later := &directory{task: d.task, into: d.into, destAttr: d.destAttr}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deferred = append(w.deferred, deferredMode{later, mode})
}

// settle sets the deferred modes when all else is done: the deepest first, as
// many at once as there are workers. It does so after an interrupt too, for
// these directories are complete.
func (r *run) settle() {
	slices.SortFunc(r.deferred, func(a, b deferredMode) int { return cmp.Compare(b.depth(), a.depth()) })
	workers := make([]*worker, min(max(1, r.Threads), len(r.deferred)))
	for i := range workers {
		workers[i] = r.worker()
	}
	for rest := r.deferred; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(m deferredMode) bool { return m.depth() != rest[0].depth() })
		if n < 0 {
			n = len(rest)
		}
		var next atomic.Int64
		var wait sync.WaitGroup
		for _, w := range workers {
			wait.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					w.settleOne(rest[i-1])
				}
			})
		}
		wait.Wait()
		rest = rest[n:]
	}
}

func (w *worker) settleOne(m deferredMode) {
	dir, err := openBelow(w.handles.root(m.d.task.Source).dst, m.d.task.Path, w.Links.KeepDirlinks)
	if err == nil {
		err = w.unkept(m.d, "", report.Mode, dir.Chmod(".", m.mode))
		if m.d.task.Path != "" {
			dir.Close()
		}
	}
	if err != nil {
		w.failDir(m.d, onDest, "", err)
	}
}

// openBelow opens the directory at path below root. For "" that is root itself.
func openBelow(root vfs.Dir, path string, follow bool) (vfs.Dir, error) {
	if path == "" {
		return root, nil
	}
	return walkBelow(root, path, func(in vfs.Dir, name string) (vfs.Dir, error) { return openDir(in, name, follow) })
}

// walkBelow goes from root down to path by calling step for each of its elements,
// and returns the last directory, which the caller closes. For "" that is
// root, opened once more.
func walkBelow(root vfs.Dir, path string, step func(in vfs.Dir, name string) (vfs.Dir, error)) (vfs.Dir, error) {
	dir := root
	for path != "" {
		name, rest, _ := strings.Cut(path, "/")
		sub, err := step(dir, name)
		if dir != root {
			dir.Close()
		}
		if err != nil {
			return nil, err
		}
		dir, path = sub, rest
	}
	return dir, nil
}

package engine

import (
	"context"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// The root of a source is its directory and what it is copied to: the destination, or the directory
// Into of it. Sources may be many, so the roots of those that come with Open instead of Dir are
// opened when they are needed, and closed like other directories.

// addSource registers the root of a source, and returns the task to copy it. It makes the
// directory that the source is copied to, if that is missing. root is what the destination is.
func (w *worker) addSource(ctx context.Context, i int, root vfs.Attr) (t task, ok bool) {
	s := w.Sources[i]
	if s.Dir == nil {
		return w.addReopened(ctx, i, root)
	}
	t = task{Source: i, New: w.DestIsNew}
	p := pair{src: s.Dir, dst: w.Dest}
	if s.Into != "" {
		if p.dst, t.New, ok = w.into(ctx, (&dirInfo{task: t, destAttr: root}).open(p), s.Into); !ok {
			return t, false
		}
		w.opened = append(w.opened, p)
	}
	t.dirs = w.pairs.root(p)
	t.dirs.destOnly = w.destDirs.root(pair{dst: p.dst})
	w.roots[i] = t.dirs
	return t, true
}

// into makes and opens the directory called name in the destination.
func (w *worker) into(ctx context.Context, d *directory, name string) (dst vfs.Dir, fresh, ok bool) {
	fresh, ok = w.subdirectory(ctx, d, ".", name)
	if !ok || w.DryRun && fresh {
		return nil, fresh, ok
	}
	dst, err := source.OpenDir(w.Dest, name, w.Links.KeepDirlinks)
	if err != nil {
		w.failDir(d, onDest, name, err)
		return nil, false, false
	}
	return dst, fresh, true
}

// addReopened does what addSource does, for a source that comes with Open.
func (w *worker) addReopened(ctx context.Context, i int, root vfs.Attr) (t task, ok bool) {
	s := w.Sources[i]
	t = task{Source: i, New: w.DestIsNew}
	if s.Into != "" {
		src, err := s.Open()
		if err != nil {
			w.failDir((&dirInfo{task: t}).open(pair{}), onSource, "", err)
			return t, false
		}
		defer src.Close()
		d := (&dirInfo{task: t, destAttr: root}).open(pair{src: src, dst: w.Dest})
		if t.New, ok = w.subdirectory(ctx, d, ".", s.Into); !ok {
			return t, false
		}
	}
	t.dirs = w.pairs.reopenedRoot(func() (pair, side, error) { return w.pairs.openSource(s, w.Dest) })
	t.dirs.destOnly = w.destDirs.reopenedRoot(func() (pair, side, error) { return w.destDirs.openInto(s, w.Dest) })
	w.roots[i] = t.dirs
	return t, true
}

// openSource opens the root of a source that comes with Open.
func (ps *pairs) openSource(s source.Tree, dest vfs.Dir) (pair, side, error) {
	src, err := s.Open()
	if err != nil {
		return pair{}, onSource, err
	}
	p, side, err := ps.openInto(s, dest)
	if err != nil {
		src.Close()
		return pair{}, side, err
	}
	p.src = src
	return p, 0, nil
}

// openInto opens what a source is copied to.
func (ps *pairs) openInto(s source.Tree, dest vfs.Dir) (pair, side, error) {
	if s.Into == "" || dest == nil {
		return pair{dst: dest, sharedDst: true}, 0, nil
	}
	return ps.openChild(pair{dst: dest}, s.Into)
}

// openDest opens the destination of the directory at k. The caller calls closeDir when it is done.
func (r *run) openDest(k key) (dir vfs.Dir, closeDir func(), err error) {
	at := r.roots[k.source].dest()
	root, _, err := at.use()
	if err != nil {
		return nil, nil, err
	}
	return openKept(root.dst, k.path, r.Links.KeepDirlinks, at.done)
}

// openSource opens the source of the directory at k likewise.
func (r *run) openSource(k key) (dir vfs.Dir, closeDir func(), err error) {
	at := r.roots[k.source]
	root, _, err := at.use()
	if err != nil {
		return nil, nil, err
	}
	return openKept(root.src, k.path, r.Links.Follows(), at.done)
}

// openKept opens the directory at path below root, which is root itself for "", and
// returns a function that closes it and then calls done.
func openKept(root vfs.Dir, path string, follow bool, done func()) (dir vfs.Dir, closeDir func(), err error) {
	dir, err = openBelow(root, path, follow)
	if err != nil {
		done()
		return nil, nil, err
	}
	return dir, func() {
		if path != "" {
			dir.Close()
		}
		done()
	}, nil
}

package pairs

import (
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// OpenSource opens the root of a source that has a function Open.
func (ps *Cache) OpenSource(s source.Tree, dest vfs.Dir) (Pair, Side, error) {
	src, err := s.Open()
	if err != nil {
		return Pair{}, Source, err
	}
	p, side, err := ps.OpenInto(s, dest)
	if err != nil {
		src.Close()
		return Pair{}, side, err
	}
	p.Src = src
	return p, 0, nil
}

// OpenInto opens the directory that a source is copied to.
func (ps *Cache) OpenInto(s source.Tree, dest vfs.Dir) (Pair, Side, error) {
	if s.Into == "" || dest == nil {
		return Pair{Dst: dest, sharedDst: true}, 0, nil
	}
	return ps.OpenChild(Pair{Dst: dest}, s.Into)
}

// Below opens the directory at path below root. For "" that is root itself.
func Below(root vfs.Dir, path string, follow bool) (vfs.Dir, error) {
	return vfs.Descend(root, path, func(in vfs.Dir, name string) (vfs.Dir, error) { return source.OpenDir(in, name, follow) })
}

// OpenKept opens the directory at path below root, or returns root itself for "". It
// returns a function that closes the directory and then calls done.
func OpenKept(root vfs.Dir, path string, follow bool, done func()) (dir vfs.Dir, closeDir func(), err error) {
	dir, err = Below(root, path, follow)
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

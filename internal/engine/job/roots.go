package job

import (
	"io/fs"

	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// Roots are the roots of the sources, with what they are copied to; nil for sources that are left out.
type Roots []*pairs.Node

// OpenSource opens the source of the directory at k, for which there is none if that source was left out. The caller
// calls closeDir when it is done.
func (rs Roots) OpenSource(k Key, follow bool) (dir vfs.Dir, closeDir func(), err error) {
	at := rs[k.Source]
	if at == nil {
		return nil, nil, fs.ErrNotExist
	}
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Src, k.Path, follow, at.Done)
}

// OpenDest is OpenSource for the destination.
func (rs Roots) OpenDest(k Key, follow bool) (dir vfs.Dir, closeDir func(), err error) {
	at := rs[k.Source].Dest()
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Dst, k.Path, follow, at.Done)
}

// overlap reports whether a source may lie in another one.
func (rs Roots) overlap() bool {
	for i, at := range rs {
		if at == nil {
			continue
		}
		root, closeRoot, err := rs.OpenSource(Key{Source: i}, false)
		if err != nil {
			return true
		}
		for j := range rs {
			if j == i {
				continue
			}
			if inside, err := rs.isBelowRoot(root, j); inside || err != nil {
				closeRoot()
				return true
			}
		}
		closeRoot()
	}
	return false
}

// isBelowRoot reports whether a directory lies beneath the root of the i-th source.
func (rs Roots) isBelowRoot(dir vfs.Dir, i int) (bool, error) {
	if rs[i] == nil {
		return false, nil
	}
	root, closeRoot, err := rs.OpenSource(Key{Source: i}, false)
	if err != nil {
		return false, err
	}
	defer closeRoot()
	attr, err := vfs.Lstat(root, ".")
	if err != nil {
		return false, err
	}
	return vfs.IsBelow(dir, attr.ID())
}

// leadsThroughLink reports whether the entry called name of the directory at k is a link, or whether that directory
// is reached through one or cannot be opened.
func (rs Roots) leadsThroughLink(k Key, name string) bool {
	dir, closeDir, err := rs.OpenSource(k, false)
	if err != nil {
		return true
	}
	defer closeDir()
	attr, err := vfs.Lstat(dir, name)
	return err == nil && attr.Mode.Type() == fs.ModeSymlink
}

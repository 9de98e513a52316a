package job

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// ErrOutside says that an entry was reached through a link that leads out of the source, so it is not removed.
var ErrOutside = errors.New("was reached through a link that leads out of the source, so it was copied and is not removed")

// SourceNamesRepeat reports whether an entry of the sources may be found under several copied names, or outside the
// sources. That is possible if links are followed, if one source may lie in another, and if files are listed, since
// their paths may lead through links.
func (r *Run) SourceNamesRepeat() bool {
	return r.Links.Follows() || len(r.Sources) > 1 || r.Files != nil
}

// OpenToRemove opens the source of the directory at k to remove entries from it. The caller calls closeDir when it is
// done. The directory must lie beneath an operand. If a link leads there, that is checked in the directory itself,
// and the error is ErrOutside if it does not.
func (r *Run) OpenToRemove(k Key) (dir vfs.Dir, closeDir func(), err error) {
	dir, closeDir, err = r.openBelow(k.Source, k.Path, false)
	if err == nil || k.Path == "" || !r.SourceNamesRepeat() {
		return dir, closeDir, err
	}
	if dir, closeDir, err = r.openBelow(k.Source, k.Path, true); err != nil {
		return nil, nil, err
	}
	if inside, err := vfs.IsBelow(dir, r.operandDirs()...); err == nil && inside {
		return dir, closeDir, nil
	}
	closeDir()
	return nil, nil, ErrOutside
}

// operandDirs returns which directories are operands. They are looked up once, when removing what was copied is all
// that is left to do in the sources.
func (r *Run) operandDirs() []vfs.ID {
	r.operands.once.Do(func() {
		for i, s := range r.Sources {
			paths := s.Operands
			if len(paths) == 0 {
				paths = []string{""}
			}
			for _, path := range paths {
				if attr, err := r.statOperand(i, path); err == nil && attr.Mode.IsDir() {
					r.operands.ids = append(r.operands.ids, attr.ID())
				}
			}
		}
	})
	return r.operands.ids
}

// operands are the directories that were named as sources.
type operands struct {
	once sync.Once
	ids  []vfs.ID
}

// statOperand returns the attributes of operand, a path below the root of the i-th source.
func (r *Run) statOperand(i int, operand string) (vfs.Attr, error) {
	up, name := path.Split(operand)
	dir, closeDir, err := r.openBelow(i, strings.TrimSuffix(up, "/"), true)
	if err != nil {
		return vfs.Attr{}, err
	}
	defer closeDir()
	if name == "" {
		return dir.Lstat(".")
	}
	follow := r.Links.Copy || r.Links.CopyDirlinks || r.Files != nil && r.Files.Follows(operand)
	return source.Stat(dir, vfs.Entry{Name: name}, follow)
}

// isBelow reports whether a directory lies beneath the root of the i-th source.
func (r *Run) isBelow(dir vfs.Dir, i int) (bool, error) {
	if r.Roots[i] == nil {
		return false, nil
	}
	root, closeRoot, err := r.openBelow(i, "", false)
	if err != nil {
		return false, err
	}
	defer closeRoot()
	attr, err := root.Lstat(".")
	if err != nil {
		return false, err
	}
	return vfs.IsBelow(dir, attr.ID())
}

// uncopied holds the names of sources that could not be copied, in a run that removes what it has copied.
type uncopied struct {
	mu      sync.Mutex // guards the fields below
	entries []entryKey // not directories, as far as is known
	dirs    []entryKey
}

// add adds the entry called name of the directory at k, or that directory itself for "".
func (u *uncopied) add(k Key, name string, isDir bool) {
	if name == "" {
		k.Path, name = path.Split(k.Path)
		k.Path = path.Clean(k.Path)
		if k.Path == "." {
			k.Path = ""
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if isDir {
		u.dirs = append(u.dirs, entryKey{k, name})
	} else {
		u.entries = append(u.entries, entryKey{k, name})
	}
}

// An Uncopied holds which entries of the sources have names that could not be copied, and so must stay. A nil
// *Uncopied holds none.
type Uncopied struct {
	ids   map[vfs.ID]bool
	links bool // all links count: they may lead from such a name to its entry
}

// Has reports whether an entry with these attributes must stay.
func (u *Uncopied) Has(a vfs.Attr) bool {
	return u != nil && (u.ids[a.ID()] || u.links && a.Mode.Type() == fs.ModeSymlink)
}

// FindUncopied looks up the names that could not be copied, except directories.
func (r *Run) FindUncopied() *Uncopied {
	u := &Uncopied{ids: make(map[vfs.ID]bool)}
	for _, e := range r.uncopied.entries {
		dir, closeDir, err := r.openBelow(e.Source, e.Path, true)
		if err != nil {
			continue // it has vanished, or leads nowhere, or its directory counts
		}
		if attr, err := source.Stat(dir, vfs.Entry{Name: e.Name}, true); err == nil {
			u.ids[attr.ID()] = true
			u.links = u.links || r.leadsThroughLink(e.Key, e.Name)
		}
		closeDir()
	}
	return u
}

// MayHaveUncopiedNames reports whether entries of the directories at copied may have names in directories that could
// not be copied. That cannot be known, since links in these could lead anywhere.
func (r *Run) MayHaveUncopiedNames(copied []Key) bool {
	switch {
	case len(r.uncopied.dirs) == 0:
		return false
	case r.Links.Follows():
		return true
	}
	linked := func(e entryKey) bool { return r.leadsThroughLink(e.Key, e.Name) }
	return slices.ContainsFunc(r.uncopied.dirs, linked) || r.sourcesOverlap() ||
		slices.ContainsFunc(copied, func(k Key) bool { return linked(entryKey{k, "."}) })
}

// leadsThroughLink reports whether the entry called name of the directory at k is a link, or whether that directory
// is reached through one or cannot be opened.
func (r *Run) leadsThroughLink(k Key, name string) bool {
	dir, closeDir, err := r.openBelow(k.Source, k.Path, false)
	if err != nil {
		return true
	}
	defer closeDir()
	attr, err := dir.Lstat(name)
	return err == nil && attr.Mode.Type() == fs.ModeSymlink
}

// sourcesOverlap reports whether a source may lie in another one.
func (r *Run) sourcesOverlap() bool {
	for i, at := range r.Roots {
		if at == nil {
			continue
		}
		root, closeRoot, err := r.openBelow(i, "", false)
		if err != nil {
			return true
		}
		for j := range r.Roots {
			if j == i {
				continue
			}
			if inside, err := r.isBelow(root, j); inside || err != nil {
				closeRoot()
				return true
			}
		}
		closeRoot()
	}
	return false
}

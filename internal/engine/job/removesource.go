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
func (j *Job) SourceNamesRepeat() bool {
	n := 0
	for _, s := range j.Sources {
		if s.Err == nil {
			n++
		}
	}
	return j.Links.Follows() || n > 1 || j.Files != nil
}

// RemovesSourceLast reports whether nothing is removed from the sources before the end of a run. What they lack is removed from
// the destination before that.
func (j *Job) RemovesSourceLast() bool { return j.SourceNamesRepeat() || j.Delete.On }

// LinksRepeat reports whether names of an entry may be found more often than its number of links says.
func (j *Job) LinksRepeat() bool {
	return j.Links.Follows() || len(j.Sources) > 1 || len(j.Sources) == 1 && j.Sources[0].Merged
}

// OpenToRemove opens the source of the directory at k to remove entries from it. The caller calls closeDir when it is
// done. The directory must lie beneath an operand. If a link leads there, that is checked in the directory itself,
// and the error is ErrOutside if it does not.
func (r *Run) OpenToRemove(k Key) (dir vfs.Dir, closeDir func(), err error) {
	dir, closeDir, err = r.Roots.OpenSource(k, false)
	if err == nil || k.Path == "" || !r.Job.SourceNamesRepeat() {
		return dir, closeDir, err
	}
	if dir, closeDir, err = r.Roots.OpenSource(k, true); err != nil {
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
	r.SourceNames.once.Do(func() {
		for i, s := range r.Job.Sources {
			paths := s.Operands
			if len(paths) == 0 {
				paths = []string{""}
			}
			for _, path := range paths {
				if attr, err := r.statOperand(i, path); err == nil && attr.Mode.IsDir() {
					r.SourceNames.operands = append(r.SourceNames.operands, attr.ID())
				}
			}
		}
	})
	return r.SourceNames.operands
}

// statOperand returns the attributes of operand, a path below the root of the i-th source.
func (r *Run) statOperand(i int, operand string) (vfs.Attr, error) {
	up, name := path.Split(operand)
	dir, closeDir, err := r.Roots.OpenSource(Key{Source: i, Path: strings.TrimSuffix(up, "/")}, true)
	if err != nil {
		return vfs.Attr{}, err
	}
	defer closeDir()
	if name == "" {
		return vfs.Lstat(dir, ".")
	}
	follow := r.Job.Links.Copy || r.Job.Links.CopyDirlinks || r.Job.Files != nil && r.Job.Files.Follows(operand)
	return source.Stat(dir, vfs.Entry{Name: name}, follow)
}

// SourceNames holds what a run that removes what it has copied knows of names in the sources.
type SourceNames struct {
	mu           sync.Mutex // guards the fields below
	uncopied     []entryKey // entries that could not be copied, without those that are known to be directories
	uncopiedDirs []entryKey // directories that could not be copied

	once     sync.Once // sets operands
	operands []vfs.ID  // the directories that were named as sources
}

// addUncopied adds the entry called name of the directory at k, or that directory itself for "".
func (n *SourceNames) addUncopied(k Key, name string, isDir bool) {
	if name == "" {
		k.Path, name = path.Split(k.Path)
		k.Path = path.Clean(k.Path)
		if k.Path == "." {
			k.Path = ""
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if isDir {
		n.uncopiedDirs = append(n.uncopiedDirs, entryKey{k, name})
	} else {
		n.uncopied = append(n.uncopied, entryKey{k, name})
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
func (n *SourceNames) FindUncopied(roots Roots) *Uncopied {
	u := &Uncopied{ids: make(map[vfs.ID]bool)}
	for _, e := range n.uncopied {
		dir, closeDir, err := roots.OpenSource(e.Key, true)
		if err != nil {
			continue // it has vanished, or leads nowhere, or its directory counts
		}
		if attr, err := source.Stat(dir, vfs.Entry{Name: e.Name}, true); err == nil {
			u.ids[attr.ID()] = true
			u.links = u.links || roots.leadsThroughLink(e.Key, e.Name)
		}
		closeDir()
	}
	return u
}

// MayHaveUncopied reports whether entries of the directories at copied may have names in directories that could
// not be copied. That cannot be known, since links in these could lead anywhere. If follow is true, links are followed.
func (n *SourceNames) MayHaveUncopied(roots Roots, copied []Key, follow bool) bool {
	switch {
	case len(n.uncopiedDirs) == 0:
		return false
	case follow:
		return true
	}
	linked := func(e entryKey) bool { return roots.leadsThroughLink(e.Key, e.Name) }
	return slices.ContainsFunc(n.uncopiedDirs, linked) || roots.overlap() ||
		slices.ContainsFunc(copied, func(k Key) bool { return linked(entryKey{k, "."}) })
}

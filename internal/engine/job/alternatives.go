package job

import (
	"io/fs"
	"sync"

	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Alternatives are trees with the layout of the destination. Files that they hold need not be copied.
type Alternatives struct {
	Kind plan.AlternativeKind
	Dirs []vfs.Dir // searched in order; the first that has an entry is used
}

// Removes reports whether the destination's entry is removed if one of the trees has the file of the source.
func (a *Alternatives) Removes(sync bool, action plan.Action) bool {
	return len(a.Dirs) > 0 && a.Kind.Removes(sync, action)
}

// Open opens the counterparts of the directory at path in the other trees. Those that cannot be opened are left out.
func (a Alternatives) Open(path string) []*Counterpart {
	dirs := make([]*Counterpart, 0, len(a.Dirs))
	for _, root := range a.Dirs {
		if dir, err := vfs.Descend(root, path, vfs.NoFollow.OpenDir); err == nil {
			dirs = append(dirs, &Counterpart{Dir: dir})
		}
	}
	return dirs
}

// A Counterpart is the directory of another tree that corresponds to one of the destination.
type Counterpart struct {
	Dir vfs.Dir

	mu      sync.Mutex
	lookups int
	facts   map[string]*vfs.Facts // what a listing said of the entries
	whole   bool                  // facts has all of them
}

// maxOfOther is how many facts are kept for one directory: some 4 MiB.
const maxOfOther = 1 << 14

// Lstat returns the attributes of an entry. On a network each lookup takes a round trip, so once there are several, they
// are answered by a listing if it reports attributes. A file that is used is checked to be still the same.
func (c *Counterpart) Lstat(name string, v *volume.Volume) (vfs.Attr, error) {
	c.mu.Lock()
	if c.lookups++; c.lookups == source.FewNames+1 && v != nil && v.Network {
		c.facts = make(map[string]*vfs.Facts)
		c.whole = source.ListFacts(c.Dir, func(e vfs.Entry) bool {
			c.facts[e.Name] = e.Facts
			return len(c.facts) < maxOfOther
		})
	}
	f, absent := c.facts[name], c.whole && v.IsExact()
	c.mu.Unlock()
	switch {
	case f != nil:
		return f.Attr, nil
	case absent:
		return vfs.Attr{}, fs.ErrNotExist
	}
	return vfs.Lstat(c.Dir, name)
}

// Existing is [Listed.Existing] for an entry of the other tree.
func (c *Counterpart) Existing(name string, there vfs.Attr) vfs.Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return existing(c.facts[name], name, there)
}

package journal

import (
	"slices"
	"strings"
)

// A step is the name of a directory in its parent.
type step struct {
	parent ID
	name   string
}

// An ancestry holds the ancestors of some directories.
type ancestry struct {
	roots   map[ID]int // index
	parents map[ID]step
}

// findAncestry finds the ancestors of directories. It reads the journal once for each level above the deepest
// directory.
func (f *File) findAncestry(ids []ID, last map[ID]int64) (*ancestry, error) {
	t := &ancestry{roots: make(map[ID]int), parents: make(map[ID]step)}
	for i := range f.Job.Roots {
		t.roots[f.Key.Root(i)] = i
	}
	sought := make(map[ID]bool)
	seek := func(id ID) {
		if _, isRoot := t.roots[id]; !isRoot {
			if _, known := t.parents[id]; !known {
				sought[id] = true
			}
		}
	}
	for _, id := range ids {
		seek(id)
	}
	for len(sought) > 0 {
		var parents []ID
		err := f.visitLatest(last, func(d *Directory) {
			for _, name := range d.Children {
				if id := f.Key.Child(d.ID, name); sought[id] {
					t.parents[id] = step{d.ID, strings.Clone(name)}
					parents = append(parents, d.ID)
				}
			}
		}, nil)
		if err != nil {
			return nil, err
		}
		clear(sought)
		for _, id := range parents {
			seek(id)
		}
	}
	return t, nil
}

// path returns the location of a directory. ok is false if no root leads to it.
func (t *ancestry) path(id ID) (at OpenDirectory, ok bool) {
	var names []string
	for {
		if root, isRoot := t.roots[id]; isRoot {
			slices.Reverse(names)
			return OpenDirectory{Root: root, Path: strings.Join(names, "/")}, true
		}
		s, known := t.parents[id]
		if !known {
			return at, false
		}
		names = append(names, s.name)
		id = s.parent
	}
}

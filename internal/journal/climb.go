package journal

import (
	"slices"
	"strings"
)

// A step leads from a directory up.
type step struct {
	parent ID
	name   string
}

// A trail leads from some directories up to the roots.
type trail struct {
	roots map[ID]int // index
	up    map[ID]step
}

// climb finds out what leads to directories. It reads the journal once for each level above the deepest.
func (f *File) climb(ids []ID, last map[ID]int64) (*trail, error) {
	t := &trail{roots: make(map[ID]int), up: make(map[ID]step)}
	for i := range f.Job.Roots {
		t.roots[f.Key.Root(i)] = i
	}
	sought := make(map[ID]bool)
	seek := func(id ID) {
		if _, isRoot := t.roots[id]; !isRoot {
			if _, known := t.up[id]; !known {
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
					t.up[id] = step{d.ID, strings.Clone(name)}
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

// path returns where a directory is; ok is false if nothing leads to it from a root.
func (t *trail) path(id ID) (at OpenDirectory, ok bool) {
	var names []string
	for {
		if root, isRoot := t.roots[id]; isRoot {
			slices.Reverse(names)
			return OpenDirectory{Root: root, Path: join(names)}, true
		}
		s, known := t.up[id]
		if !known {
			return at, false
		}
		names = append(names, s.name)
		id = s.parent
	}
}

func join(names []string) string {
	n := 0
	for _, name := range names {
		n += len(name) + 1
	}
	b := make([]byte, 0, n)
	for i, name := range names {
		if i > 0 {
			b = append(b, '/')
		}
		b = append(b, name...)
	}
	return string(b)
}

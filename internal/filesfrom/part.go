package filesfrom

import "psync/internal/lazymap"

// A Part of a list is what it takes from one directory.
type Part struct {
	Dir   string   // relative to the source: what the paths have before "/./"
	Names []string // in the root of the destination; nil: all that the list has there
	Self  bool     // the directory itself is listed: by ".", or by a path that begins with "./"
}

// origins are the directories of the source that the names in the root of the destination come from.
type origins struct {
	dirs  []string
	index map[string]int    // of the directories in dirs
	self  bool              // one of the directories is listed itself
	dir   map[string]string // by name, unless it is the first directory
}

func (o *origins) addDir(dir string) {
	if _, ok := o.index[dir]; ok {
		return
	}
	lazymap.Set(&o.index, dir, len(o.dirs))
	o.dirs = append(o.dirs, dir)
}

// assign records that a name comes from a directory.
func (o *origins) assign(name, dir string) {
	if dir == o.dirs[0] {
		return
	}
	lazymap.Set(&o.dir, name, dir)
}

// of returns the directory that a name comes from.
func (o *origins) of(name string) string {
	if dir, ok := o.dir[name]; ok || len(o.dirs) == 0 {
		return dir
	}
	return o.dirs[0]
}

// split returns the parts of a list that has the names in the root of the destination.
func (o *origins) split(names []string) []Part {
	switch len(o.dirs) {
	case 0:
		return []Part{{}}
	case 1:
		return []Part{{Dir: o.dirs[0], Self: o.self}}
	}
	parts := make([]Part, len(o.dirs))
	for i, dir := range o.dirs {
		parts[i].Dir = dir
	}
	for _, name := range names {
		p := &parts[o.index[o.of(name)]]
		p.Names = append(p.Names, name)
	}
	return parts
}

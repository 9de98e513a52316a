package order

import (
	"cmp"
	"slices"
	"strings"

	"psync/internal/lazymap"
	"psync/internal/output"
)

// A dir is a directory of which something may still be reported, or of which lines are kept.
type dir struct {
	segment *output.Segment // detached until the directory above is done
	pending int             // work that Expect has announced
	lines   []entryLine
	subdirs map[*dir]struct{}

	name   string
	parent *dir // nil once that has ended

	ended bool   // nothing more is reported of it
	at    string // its path, once it has ended
}

// An entryLine is a line of a directory, with the path of its entry there. It is "" for the directory itself.
type entryLine struct {
	rel string
	Line
}

// A removal is a line about an entry that is removed from a directory, if removals have a phase of their own.
type removal struct {
	from string
	entryLine
}

// text returns the lines of d in their order, and how many bytes they have taken.
func (d *dir) text() (t text, size int) {
	rm := d.removed()
	for i := range d.lines {
		size += d.lines[i].size()
	}
	slices.SortStableFunc(d.lines, func(a, b entryLine) int { return rm.compare(&a, &b) })
	for i := range d.lines {
		t.add(&d.lines[i].Line)
	}
	return t, size
}

// removed says which lines of a directory are about extraneous entries.
type removed struct {
	entries map[string]bool // names of entries that other lines are about: what is removed there has made room for them
	paths   map[string]bool // of what is removed
}

func (d *dir) removed() (rm removed) {
	for i := range d.lines {
		if l := &d.lines[i]; l.Removal {
			lazymap.Set(&rm.paths, l.rel, true)
		}
	}
	if rm.paths == nil {
		return rm
	}
	for i := range d.lines {
		if l := &d.lines[i]; l.rel != "" && !l.Removal && !l.Rule && !(l.Backup && rm.paths[l.rel]) {
			lazymap.Set(&rm.entries, l.rel, true)
		}
	}
	return rm
}

// isRemoval reports whether a line is about an entry that is removed, or kept as a backup then.
func (rm removed) isRemoval(l *entryLine) bool {
	return l.Removal || l.Rule || l.Backup && rm.paths[l.rel]
}

// isExtraneous reports whether a line is about an entry that is removed because the source lacks it.
func (rm removed) isExtraneous(l *entryLine) bool {
	return rm.isRemoval(l) && !rm.entries[topName(l.rel)]
}

// takeExtraneous takes the lines about extraneous entries from d.
func (d *dir) takeExtraneous() (taken []removal) {
	rm := d.removed()
	d.lines = slices.DeleteFunc(d.lines, func(e entryLine) bool {
		if !rm.isExtraneous(&e) {
			return false
		}
		taken = append(taken, removal{d.at, e})
		return true
	})
	return taken
}

// textOfRemovals returns the lines of removals, in the order of the directories that they are removed from.
func textOfRemovals(list []removal) (t text) {
	slices.SortStableFunc(list, func(a, b removal) int {
		return cmp.Or(strings.Compare(key(a.from, true), key(b.from, true)), compareRemovals(&a.entryLine, &b.entryLine))
	})
	for i := range list {
		t.add(&list[i].Line)
	}
	return t
}

// compare compares lines of a directory: first those about the directory itself, then those about what is removed from it,
// then those about its other entries by name. What makes room for an entry comes right before it.
func (rm removed) compare(a, b *entryLine) int {
	rank := func(l *entryLine) int {
		switch {
		case l.rel == "":
			return 0
		case rm.isExtraneous(l):
			return 1
		}
		return 2
	}
	if c := cmp.Compare(rank(a), rank(b)); c != 0 || rank(a) == 0 {
		return c
	}
	if rank(a) == 1 {
		return compareRemovals(a, b)
	}
	if c := strings.Compare(topName(a.rel), topName(b.rel)); c != 0 {
		return c
	}
	switch first, second := rm.isRemoval(a), rm.isRemoval(b); {
	case first && second:
		return compareRemovals(a, b)
	case first:
		return -1
	case second:
		return 1
	}
	return 0
}

// compareRemovals compares removals from a directory. rsync goes through what it removes from the last entry to the first, so
// that what is in a directory comes before it. A backup comes before the removal, and rules come before all.
func compareRemovals(a, b *entryLine) int {
	if a.Rule != b.Rule {
		if a.Rule {
			return -1
		}
		return 1
	}
	if c := strings.Compare(key(b.rel, b.IsDir), key(a.rel, a.IsDir)); c != 0 || a.Removal == b.Removal {
		return c
	}
	if a.Backup {
		return -1
	}
	return 1
}

// compareDirs compares directories by their names.
func compareDirs(a, b *dir) int { return strings.Compare(a.name+"/", b.name+"/") }

// key returns a string by which paths sort as rsync sorts them: in a directory directories come last, with what is in them, as
// if their names ended in a slash.
func key(path string, isDir bool) string {
	var b strings.Builder
	for path != "" {
		name, rest, more := strings.Cut(path, "/")
		if more || isDir {
			b.WriteString("\x01" + name + "/")
		} else {
			b.WriteString("\x00" + name)
		}
		path = rest
	}
	return b.String()
}

// topName returns the first name of a path.
func topName(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

package facts

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// Operands are the opened operands of a command, all of which are on this host.
type Operands struct {
	Roots        *operand.Roots
	Alternatives []vfs.Dir                  // of --link-dest and its like
	MountsBelow  func(path string) []string // of package overlap
}

// Facts returns the facts of the operands. It marks the destination with the name of the job; temp is the name of a temporary
// file for that, or "" if only another host makes the mark: one that is late must not change the destination any more.
// [Unmark] removes the mark, at the end of the job or if the host is the only one and cannot begin; [UnmarkOther] does where it
// is not the destination of the job.
func (o Operands) Facts(job, temp string) (queue.Facts, error) {
	var trees []Tree
	var parts queue.Facts
	add := func(name, value string) { parts = append(parts, queue.Fact{Name: name, Value: value}) }
	for i, s := range o.Roots.Sources {
		dir, err := s.Dir, error(nil)
		if dir == nil && s.Open != nil && s.Err == nil {
			if dir, err = s.Open(); err != nil {
				return nil, err
			}
			defer func() { _ = dir.Close() }()
		}
		name := sourceName(i, s.Label)
		named, release := rootsOf(Tree{name, dir}, s.Names)
		defer release()
		trees = append(trees, named...)
		add("what is copied of "+name, partOf(s))
		add("the list of mounts below "+name, o.mounts(s.Label, s.Names))
	}
	add("the list of mounts below "+o.Roots.DestLabel(), o.mounts(o.Roots.DestPath, nil))
	for i, dir := range o.Alternatives {
		trees = append(trees, Tree{fmt.Sprintf("directory %d of --link-dest and its like", i+1), dir})
	}
	facts, err := ofTrees(Tree{o.Roots.DestLabel(), o.Roots.Dest}, trees, job, temp)
	return append(facts, parts...), err
}

const maxNamed = 64 // directories among the entries that operands name

// rootsOf returns what hosts compare of a source: the directory itself, or those of its entries that operands name, which
// may be mount points in a directory of the host.
func rootsOf(t Tree, names []string) (roots []Tree, release func()) {
	if t.Dir == nil || len(names) == 0 {
		return []Tree{t}, func() {}
	}
	var opened []Tree
	for _, name := range names[:min(len(names), maxNamed)] {
		dir, err := t.Dir.OpenDir(name, vfs.NoFollow)
		if err == nil {
			opened = append(opened, Tree{strings.TrimSuffix(t.Label, "/") + "/" + name, dir})
		}
	}
	roots = opened
	if len(opened) < len(names) { // one is something else, or is missing
		roots = append([]Tree{t}, opened...)
	}
	return roots, func() {
		for _, t := range opened {
			_ = t.Dir.Close()
		}
	}
}

// mounts lists what is mounted below a directory, or below some of its entries. Where a host lacks such a mount, it sees an
// empty directory.
func (o Operands) mounts(path string, names []string) string {
	points := slices.DeleteFunc(o.MountsBelow(path), func(point string) bool {
		name, _, _ := strings.Cut(point, "/")
		return len(names) > 0 && !slices.Contains(names, name)
	})
	if len(points) == 0 {
		return "empty"
	}
	return short(strings.Join(points, ", "))
}

// partOf describes which part of a source is copied, and where to.
func partOf(s source.Tree) string {
	what := "all"
	switch {
	case len(s.Names) > 0:
		what = short(fmt.Sprintf("%q", s.Names))
	case s.EntriesOnly:
		what = "the entries"
	}
	if s.Into != "" {
		what += short(fmt.Sprintf(" as %q", s.Into))
	}
	return what
}

// sourceName returns what a source is called. Labels may occur more than once.
func sourceName(i int, label string) string {
	if i == 0 {
		return label
	}
	return fmt.Sprintf("source %d, %s", i+1, label)
}

// ofTrees returns the facts by which hosts find out that they have mounted the same trees.
func ofTrees(dst Tree, others []Tree, job, temp string) (queue.Facts, error) {
	m, err := place(dst.Dir, job, temp, others)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dst.Label, err)
	}
	inDest := queue.Fact{Name: treeFact(dst), Value: "one without the mark of the job"}
	if m.Token != "" {
		inDest.Value = fmt.Sprintf("the one with the mark %.8s in inode %d", m.Token, m.ino)
	}
	facts := queue.Facts{inDest}
	for i, t := range others {
		root := queue.Fact{Name: "the root of " + t.Label, Value: "missing"}
		if t.Dir != nil {
			id, err := identify(t.Dir)
			if err != nil {
				return nil, err
			}
			if i < len(m.Roots) && id.isOf(t.Dir, m.Roots[i]) {
				id = m.Roots[i] // as the first host has found it
			}
			root.Value = id.String()
		}
		facts = append(facts, root)
	}
	return facts, nil
}

package facts

import (
	"fmt"

	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/queue"
)

// OfRoots returns the facts of the opened operands. It marks the destination with the name of the job; temp is the name of a
// temporary file for that. [Unmark] removes the mark, at the end of the job or if the host is the only one and cannot begin;
// [UnmarkOther] does where it is not the destination of the job.
func OfRoots(r *operand.Roots, job, temp string) (queue.Facts, error) {
	var trees []Tree
	var places queue.Facts
	for i, s := range r.Sources {
		t := Tree{Label: s.Label, Dir: s.Dir}
		if s.Dir == nil && s.Open != nil && s.Err == nil {
			dir, err := s.Open()
			if err != nil {
				return nil, err
			}
			defer func() { _ = dir.Close() }()
			t.Dir = dir
		}
		trees = append(trees, t)
		places = append(places, queue.Fact{Name: "what is copied of " + sourceName(i, s.Label), Value: partOf(s)})
	}
	facts, err := ofTrees(Tree{r.DestLabel(), r.Dest}, trees, job, temp)
	return append(facts, places...), err
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
func ofTrees(dst Tree, sources []Tree, job, temp string) (queue.Facts, error) {
	m, err := place(dst.Dir, job, temp, sources)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dst.Label, err)
	}
	facts := queue.Facts{{
		Name: treeFact(dst), Value: fmt.Sprintf("the one with the mark %.8s in inode %d", m.Token, m.ino),
	}}
	for i, t := range sources {
		root := queue.Fact{Name: "the root of " + sourceName(i, t.Label), Value: "missing"}
		if t.Dir != nil {
			id, err := identify(t.Dir)
			if err != nil {
				return nil, err
			}
			if i < len(m.Sources) && id.isOf(t.Dir, m.Sources[i]) {
				id = m.Sources[i] // as the first host has found it
			}
			root.Value = id.String()
		}
		facts = append(facts, root)
	}
	return facts, nil
}

package bench

import (
	"fmt"
	"slices"
	"strings"
)

// A kind is the kind of work that a tool has to do.
type kind string

const (
	copying  kind = "copy"
	noop     kind = "noop"
	changed  kind = "changed"
	deleting kind = "delete"
)

func kinds() []kind { return []kind{copying, noop, changed, deleting} }

// about describes the work, as a sentence for the introduction of a table.
func (k kind) about() string {
	switch k {
	case noop:
		return "A sync finds nothing to do"
	case changed:
		return "A sync finds one file in a hundred to be outdated"
	case deleting:
		return "A copy is deleted"
	default:
		return "The tree is copied to a new place"
	}
}

// baseline returns the name of the tool that others are compared with on one host if limitPeer is not
// measured.
func (k kind) baseline() string {
	switch k {
	case noop, changed:
		return "rsync -a"
	case deleting:
		return "rm -rf"
	default:
		return "cp -r"
	}
}

// takes returns an error if a command lacks a placeholder that this kind requires.
func (k kind) takes(argv []string) error {
	src, dst, dir := mentions(argv, srcPlace), mentions(argv, dstPlace), mentions(argv, dirPlace)
	switch {
	case k == copying && (!src || dst == dir):
		return fmt.Errorf("the command needs %s, and %s or %s", srcPlace, dstPlace, dirPlace)
	case k == deleting && (src || !dst || dir):
		return fmt.Errorf("the command for %s needs %s only", k, dstPlace)
	case (k == noop || k == changed) && (!src || !dst || dir):
		return fmt.Errorf("the command for %s needs %s and %s", k, srcPlace, dstPlace)
	}
	return nil
}

// parseKinds parses a comma-separated list of kinds.
func parseKinds(list string) ([]kind, error) {
	var chosen []kind
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(kinds(), kind(name)) {
			return nil, fmt.Errorf("no kind of run %q among %s", name, joined(kinds()))
		}
		if !slices.Contains(chosen, kind(name)) {
			chosen = append(chosen, kind(name))
		}
	}
	return chosen, nil
}

func joined[T ~string](names []T) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(name))
	}
	return b.String()
}

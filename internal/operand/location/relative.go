package location

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// ErrDotsBelow is the error for a [Relative] whose path would lead out of its directory.
var ErrDotsBelow = errors.New("has .. where its path is kept in the destination")

// A Relative is a source operand of --relative: an entry that keeps its path below a directory.
type Relative struct {
	Dir   string // the part before /./, or the working directory, or the root
	Path  string // relative to Dir; "": Dir itself
	Self  bool   // the operand begins with ./, so that the attributes of Dir are copied, too
	IsDir bool   // Path leads to a directory, or to a link that may count as one; SplitRelative does not know
}

// SplitRelative splits a source operand for --relative.
func SplitRelative(operand string) (r Relative, err error) {
	dir, path, found := strings.Cut(operand, "/./")
	switch {
	case found:
		r.Dir, r.Path = cmp.Or(strings.TrimRight(dir, "/"), "/"), path
	case strings.HasPrefix(operand, "/"):
		r.Dir, r.Path = "/", operand
	default:
		r.Dir, r.Path = ".", operand
		r.Self = operand == "." || strings.HasPrefix(operand, "./")
	}
	if slices.Contains(strings.Split(r.Path, "/"), "..") {
		return r, ErrDotsBelow
	}
	return r, nil
}

// Names returns the elements of the path.
func (r Relative) Names() []string {
	return slices.DeleteFunc(strings.Split(r.Path, "/"), func(name string) bool { return name == "" || name == "." })
}

// WithoutReplaced returns operands without files, links and the like where others below another directory lead
// through one: it comes first, and only what these operands name is copied of it.
func WithoutReplaced(operands []*Relative) []*Relative {
	leading := make(map[string][]string) // from paths to the directories that they are below
	for _, r := range operands {
		path := ""
		for _, name := range r.Names() {
			if path != "" {
				leading[path] = append(leading[path], r.Dir)
			}
			path = strings.TrimPrefix(path+"/"+name, "/")
		}
	}
	return slices.DeleteFunc(operands, func(r *Relative) bool {
		return !r.IsDir && slices.ContainsFunc(leading[strings.Join(r.Names(), "/")], func(dir string) bool { return dir != r.Dir })
	})
}

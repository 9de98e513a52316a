package operand

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/filesfrom"
)

// A relativeOperand is a source operand of --relative: an entry that keeps its path below a directory.
type relativeOperand struct {
	dir  string // the part before /./, or the working directory, or the root
	path string // relative to dir; "": dir itself
	self bool   // the operand begins with ./, so that the attributes of dir are copied, too
}

// splitRelative splits a source operand for --relative.
func splitRelative(operand string) (r relativeOperand, err error) {
	dir, path, found := strings.Cut(operand, "/./")
	switch {
	case found:
		r.dir, r.path = cmp.Or(strings.TrimRight(dir, "/"), "/"), path
	case strings.HasPrefix(operand, "/"):
		r.dir, r.path = "/", operand
	default:
		r.dir, r.path = ".", operand
		r.self = operand == "." || strings.HasPrefix(operand, "./")
	}
	if slices.Contains(strings.Split(r.path, "/"), "..") {
		return r, ErrDotsBelow
	}
	return r, nil
}

// names returns the elements of the path.
func (r relativeOperand) names() []string {
	return slices.DeleteFunc(strings.Split(r.path, "/"), func(name string) bool { return name == "" || name == "." })
}

// placeRelative determines where the sources of --relative go: each to its own path below DEST, with the
// directories that lead there. They are in list, unless list is nil: then everything in the directories is
// copied.
func (o Options) placeRelative(operands []string) (placed []placement, list *filesfrom.List, err error) {
	var paths []string
	whole := ""                       // the operand that is a directory as a whole
	byDir := make(map[string]int)     // index in placed
	byName := make(map[string]string) // the directory that a name below DEST comes from
	var missing []placement
	var failed error // the first operand that is missing
	for _, operand := range operands {
		r, err := o.examineRelative(operand)
		switch {
		case o.SlashDecides && isMissing(err):
			failed = cmp.Or(failed, err)
			missing = append(missing, missingOperand(operand, err))
			continue
		case err != nil:
			return nil, nil, err
		}
		if r == nil {
			continue
		}
		names := r.names()
		if len(names) > 0 {
			if dir, taken := byName[names[0]]; taken && dir != r.dir {
				clear(byDir) // the first operand comes first where entries of several have one name
			}
			byName[names[0]] = r.dir
		}
		i, known := byDir[r.dir]
		if !known {
			i = len(placed)
			byDir[r.dir] = i
			placed = append(placed, placement{dir: r.dir})
		}
		p := &placed[i]
		p.self = p.self || r.self
		if len(names) == 0 {
			whole = operand
			continue
		}
		p.add(names)
		paths = append(paths, r.path)
	}
	switch {
	case len(placed) == 0 && failed != nil:
		return nil, nil, failed
	case whole != "" && len(placed) > 1 && len(paths) > 0:
		return nil, nil, fmt.Errorf("%w: %s is all of a directory, and other sources lie elsewhere", ErrClash, o.Hosts.Source.called(whole))
	case whole != "" && len(placed) > 1:
		return append(missing, placed...), nil, nil
	case whole != "":
		return append(missing, placement{dir: placed[0].dir}), nil, nil
	case len(placed) > 1:
		for i := range placed {
			placed[i].self = false // DEST cannot be like all of them
		}
	}
	list, err = filesfrom.New(paths)
	return append(missing, placed...), list, err
}

// add adds the entry of the directory that names lead to.
func (p *placement) add(names []string) {
	if !slices.Contains(p.names, names[0]) {
		p.names = append(p.names, names[0])
	}
	p.paths = append(p.paths, strings.Join(names, "/"))
}

// examineRelative examines an operand. It returns nil if the operand is missing and ignored.
func (o Options) examineRelative(operand string) (*relativeOperand, error) {
	r, err := splitRelative(operand)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Hosts.Source.called(operand), err)
	}
	attr, err := statSource(o.Hosts.Source, operand, o.SkipDir != nil && o.FollowLinks)
	switch {
	case errors.Is(err, ErrMissing) && o.IgnoreMissing:
		return nil, nil
	case err != nil:
		return nil, err
	}
	path := ""
	for _, name := range r.names() {
		path = join(path, name)
	}
	if path != "" && o.Rules != nil && o.Rules.Hidden(path, attr.Mode.Type() == fs.ModeDir) {
		return nil, nil
	}
	name := path
	if strings.HasPrefix(r.path, "/") {
		name = "/" + cmp.Or(path, ".")
	}
	if o.skipsDir(name, path, attr.Mode.IsDir()) {
		return nil, nil
	}
	return &r, nil
}

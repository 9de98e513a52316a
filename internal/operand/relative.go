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
	dirs bool   // path leads to a directory, or to a link that may count as one
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
	found, missing, err := o.examineAllRelative(operands)
	if err != nil {
		return nil, nil, err
	}
	if o.SlashDecides {
		found = withoutReplaced(found)
	}
	var paths []string
	whole := ""                       // a directory that is an operand as a whole
	byDir := make(map[string]int)     // index in placed
	byName := make(map[string]string) // the directory that a name below DEST comes from
	for _, r := range found {
		names := r.names()
		if len(names) > 0 {
			if dir, taken := byName[names[0]]; taken && dir != r.dir {
				if !o.SlashDecides {
					return nil, nil, fmt.Errorf("%w: those of %s and of %s", ErrClash, o.Hosts.Source.called(under(dir, names[0])), o.Hosts.Source.called(under(r.dir, names[0])))
				}
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
			whole = r.dir
			continue
		}
		p.add(names)
		paths = append(paths, r.path)
	}
	switch {
	case whole != "" && len(placed) > 1 && (len(paths) > 0 || !o.SlashDecides):
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

// examineAllRelative examines the operands. Those that are missing are placed, where they fail alone, unless all are.
func (o Options) examineAllRelative(operands []string) (found []*relativeOperand, missing []placement, err error) {
	var failed error // the first operand that is missing
	for _, operand := range operands {
		r, err := o.examineRelative(operand)
		switch {
		case o.SlashDecides && isMissing(err):
			failed = cmp.Or(failed, err)
			missing = append(missing, missingOperand(operand, err))
		case err != nil:
			return nil, nil, err
		case r != nil:
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil, nil, failed
	}
	return found, missing, nil
}

// withoutReplaced returns operands without files, links and the like where others below another directory lead
// through one: it comes first, and only what these operands name is copied of it.
func withoutReplaced(operands []*relativeOperand) []*relativeOperand {
	leading := make(map[string][]string) // from paths to the directories that they are below
	for _, r := range operands {
		path := ""
		for _, name := range r.names() {
			if path != "" {
				leading[path] = append(leading[path], r.dir)
			}
			path = join(path, name)
		}
	}
	return slices.DeleteFunc(operands, func(r *relativeOperand) bool {
		return !r.dirs && slices.ContainsFunc(leading[strings.Join(r.names(), "/")], func(dir string) bool { return dir != r.dir })
	})
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
	r.dirs = attr.Mode.IsDir() || o.FollowLinks && attr.Mode.Type() == fs.ModeSymlink
	return &r, nil
}

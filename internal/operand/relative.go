package operand

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/filesfrom"
	"psync/internal/operand/location"
)

// placeRelative determines where the sources of --relative go: each to its own path below DEST, with the
// directories that lead there. They are in list, unless list is nil: then everything in the directories is
// copied.
func (o Options) placeRelative(operands []string) (placed []placement, list *filesfrom.List, err error) {
	found, missing, err := o.examineAllRelative(operands)
	if err != nil {
		return nil, nil, err
	}
	if o.SlashDecides {
		found = location.WithoutReplaced(found)
	}
	var paths []string
	whole := ""                       // a directory that is an operand as a whole
	byDir := make(map[string]int)     // index in placed
	byName := make(map[string]string) // the directory that a name below DEST comes from
	for _, r := range found {
		names := r.Names()
		if len(names) > 0 {
			if dir, taken := byName[names[0]]; taken && dir != r.Dir {
				if !o.SlashDecides {
					return nil, nil, fmt.Errorf("%w: those of %s and of %s", ErrClash, o.Hosts.Source.Called(under(dir, names[0])), o.Hosts.Source.Called(under(r.Dir, names[0])))
				}
				clear(byDir) // the first operand comes first where entries of several have one name
			}
			byName[names[0]] = r.Dir
		}
		i, known := byDir[r.Dir]
		if !known {
			i = len(placed)
			byDir[r.Dir] = i
			placed = append(placed, placement{dir: r.Dir})
		}
		p := &placed[i]
		p.self = p.self || r.Self
		if len(names) == 0 {
			whole = r.Dir
			continue
		}
		p.add(names)
		paths = append(paths, r.Path)
	}
	switch {
	case whole != "" && len(placed) > 1 && (len(paths) > 0 || !o.SlashDecides):
		return nil, nil, fmt.Errorf("%w: %s is all of a directory, and other sources lie elsewhere", ErrClash, o.Hosts.Source.Called(whole))
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
func (o Options) examineAllRelative(operands []string) (found []*location.Relative, missing []placement, err error) {
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

// add adds the entry of the directory that names lead to.
func (p *placement) add(names []string) {
	if !slices.Contains(p.names, names[0]) {
		p.names = append(p.names, names[0])
	}
	p.paths = append(p.paths, strings.Join(names, "/"))
}

// examineRelative examines an operand. It returns nil if the operand is missing and ignored.
func (o Options) examineRelative(operand string) (*location.Relative, error) {
	r, err := location.SplitRelative(operand)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Hosts.Source.Called(operand), err)
	}
	attr, err := statSource(o.Hosts.Source, operand, o.SkipDir != nil && o.FollowLinks)
	switch {
	case errors.Is(err, ErrMissing) && o.IgnoreMissing:
		return nil, nil
	case err != nil:
		return nil, err
	}
	path := ""
	for _, name := range r.Names() {
		path = join(path, name)
	}
	if path != "" && o.hides(path, attr.Mode.Type() == fs.ModeDir) {
		return nil, nil
	}
	name := path
	if strings.HasPrefix(r.Path, "/") {
		name = "/" + cmp.Or(path, ".")
	}
	if o.skipsDir(name, path, attr.Mode.IsDir()) {
		return nil, nil
	}
	r.IsDir = attr.Mode.IsDir() || o.FollowLinks && attr.Mode.Type() == fs.ModeSymlink
	return &r, nil
}

package operand

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// checkSourceInDest returns an error if the tree t lies below target, which it is copied to, and the run would change t
// there: because an entry of t would replace t or a directory above it, because --delete would remove it as extraneous,
// or because a backup would get its name. Otherwise the run does not affect t below target, as in "copy s .".
func (o Options) checkSourceInDest(h Host, called func(string) string, t tree, target string) error {
	routes, inside, err := routesInto(h, t.path, target)
	if err != nil || !inside {
		return err
	}
	for _, way := range routes {
		if err := o.checkWay(h, called, t, target, way, t.path); err != nil {
			return err
		}
	}
	if len(routes) == 0 || o.KeepDirlinks { // links in the destination may also lead back
		return &SourceInDestError{Source: h.Called(t.path), Dest: called(target)}
	}
	return nil
}

// checkWay returns an error if copying the tree t to target would change the source entry at path, to which way leads
// from target.
func (o Options) checkWay(h Host, called func(string) string, t tree, target, way, path string) error {
	named := func(name string) bool { return strings.HasSuffix(name, o.BackupSuffix) }
	if o.BackupSuffix != "" && slices.ContainsFunc(strings.Split(way, "/"), named) { // the directory would be renamed to a backup
		return fmt.Errorf("%s: %w", h.Called(path), ErrBackupIsSource)
	}
	found, err := o.comesUpon(h, t, target, way)
	if err == nil && found != "" {
		err = &SourceInDestError{Source: h.Called(path), Dest: called(target), Path: found}
	}
	return err
}

// checkOtherSources does the checks of checkSourceInDest for the other sources below the targets of trees.
func (o Options) checkOtherSources(placed []placement, dest string) error {
	h := o.Hosts.Source
	if !o.Hosts.AreOneSystem() {
		return nil
	}
	seen, ok, err := o.Hosts.seenBySource(dest)
	if err != nil || !ok {
		return err
	}
	byName := make(map[string][]tree) // by name in DST, which may be on a file system that ignores case
	n := 0
	for _, p := range placed {
		for _, t := range p.trees() {
			name := strings.ToLower(join(t.into, t.name))
			byName[name] = append(byName[name], t)
			n++
		}
	}
	if n < 2 {
		return nil
	}
	for _, p := range placed {
		if p.err != nil {
			continue
		}
		routes, _, err := routesInto(h, p.dir, seen)
		if err != nil {
			return err
		}
		for _, route := range routes {
			for _, t := range p.trees() {
				if err := o.checkOthers(byName, t, seen, join(route, t.name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkOthers does the checks of checkSourceInDest for trees other than t, which lies below the destination at path.
func (o Options) checkOthers(byName map[string][]tree, t tree, dest, path string) error {
	first, rest, _ := strings.Cut(path, "/")
	for _, at := range []struct{ name, way string }{{"", path}, {first, rest}} {
		for _, other := range byName[strings.ToLower(at.name)] {
			if at.way == "" || other.path == t.path {
				continue // checkSourceInDest has checked it
			}
			if err := o.checkWay(o.Hosts.Source, o.Hosts.Dest.Called, other, under(dest, at.name), at.way, t.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// routesInto reports whether the directory inner lies below outer, and returns the known routes from outer to inner.
func routesInto(h vfs.Host, inner, outer string) (known []string, inside bool, err error) {
	routes, inside, err := h.Inside(inner, outer)
	for _, route := range routes {
		r, err := follow(h, outer, route, inner)
		if err != nil {
			return nil, true, err
		}
		if r != nil {
			known = append(known, route)
		}
	}
	return known, inside, err
}

// comesUpon follows way from target to the tree t, which is copied to target, and looks in t for entries that would be
// copied to the elements of way. It returns the path, as filter rules see it, of an entry that would replace t or a
// directory above it, or would be removed with it, or "".
func (o Options) comesUpon(h Host, t tree, target, way string) (string, error) {
	rules := o.Rules
	if source.ReadsFiles(rules) {
		rules = nil // rules from files in directories are not known yet
	}
	top, err := h.Stat(t.path, vfs.Follow)
	if err != nil {
		return "", err
	}
	from, path := t.path, join(t.into, t.name)
	for rest := way; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		entry, err := o.entryFor(h, from, target, name)
		if err != nil {
			return "", err
		}
		attr, err := ifExists(h, under(from, entry), vfs.NoFollow)
		if err != nil {
			return "", err
		}
		from, target, path = under(from, entry), under(target, name), join(path, entry)
		isDir := attr.Mode.IsDir()
		switch {
		case !found(attr),
			rules != nil && (o.Files == nil || o.Files.Listed(path)) && rules.Hidden(path, isDir),
			!o.lists(route{into: t.into, path: strings.Trim(strings.TrimPrefix(path, t.into), "/")}),
			o.OneFileSystem && attr.Dev != top.Dev && rest != "":
			if o.Delete && (rules == nil || !rules.Protected(path, true)) {
				return path, nil
			}
			return "", nil
		case !isDir || rest == "":
			return path, nil
		}
	}
	return "", nil
}

// entryFor returns the name of the entry of the directory from that would be copied to name in the directory to. It
// differs from name if from has no entry of that name, but one whose name the volume of to treats as the same.
func (o Options) entryFor(h vfs.Host, from, to, name string) (entry string, err error) {
	there, err := ifExists(h, under(from, name), vfs.NoFollow)
	if err != nil || found(there) {
		return name, err
	}
	want, err := h.Stat(under(to, name), vfs.NoFollow)
	if err != nil {
		return name, err
	}
	isSame := func(spelled string) bool {
		attr, err := ifExists(h, under(to, spelled), vfs.NoFollow)
		return err == nil && attr.ID() == want.ID()
	}
	other := strings.ToUpper(name)
	if other == name {
		other = strings.ToLower(name)
	}
	if isASCII(name) && (other == name || !isSame(other)) {
		return name, nil // the volume is case-sensitive
	}
	dir, err := o.openSource(from)
	if err != nil {
		return name, err
	}
	defer dir.Close()
	entry = name
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if entry == name && (strings.EqualFold(e.Name, name) || !isASCII(e.Name)) && isSame(e.Name) {
				entry = strings.Clone(e.Name)
			}
		}
		return nil
	})
	return entry, err
}

func isASCII(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= 0x80 })
}

package operand

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// checkSourceInDest refuses to copy a tree to target if the tree lies below target and the run would come upon it there:
// because an entry of the tree takes the place of the tree or of a directory above it, because --delete finds the source to
// have nothing of that name, or because a backup gets that name. Otherwise nothing that the run does below target is done to
// the tree, as with "copy s .".
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
	if len(routes) == 0 || o.KeepDirlinks { // links of the destination may lead back, too
		return &SourceInDestError{Source: h.called(t.path), Dest: called(target)}
	}
	return nil
}

// checkWay refuses to copy the tree t to target if the run would come upon the entry of a source at path, to which way leads
// from target.
func (o Options) checkWay(h Host, called func(string) string, t tree, target, way, path string) error {
	named := func(name string) bool { return strings.HasSuffix(name, o.BackupSuffix) }
	if o.BackupSuffix != "" && slices.ContainsFunc(strings.Split(way, "/"), named) { // it would get another name to make room
		return fmt.Errorf("%s: %w", h.called(path), ErrBackupIsSource)
	}
	found, err := o.comesUpon(h, t, target, way)
	if err == nil && found != "" {
		err = &SourceInDestError{Source: h.called(path), Dest: called(target), Path: found}
	}
	return err
}

// checkOtherSources refuses to copy a tree to where another one of the sources lies, as checkSourceInDest does for the tree
// itself.
func (o Options) checkOtherSources(placed []placement, dest string) error {
	h := o.Hosts.Source
	if !o.Hosts.AreOneSystem() {
		return nil
	}
	seen, ok, err := o.Hosts.seenBySource(dest)
	if err != nil || !ok {
		return err
	}
	byName := make(map[string]tree) // by what they are called in DST, on a file system that may ignore case
	for _, p := range placed {
		for _, t := range p.trees() {
			byName[strings.ToLower(join(t.into, t.name))] = t
		}
	}
	if len(byName) < 2 {
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
				name, way, _ := strings.Cut(join(route, t.name), "/")
				other, met := byName[strings.ToLower(name)]
				if !met || way == "" || other.path == t.path {
					continue // its own place was checked
				}
				if err := o.checkWay(h, o.Hosts.Dest.called, other, under(seen, name), way, t.path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// routesInto reports whether the directory inner lies below outer, and returns the routes from there that are known.
func routesInto(h vfs.Host, inner, outer string) (known []string, inside bool, err error) {
	if inside, err = h.Inside(inner, outer); err != nil || !inside {
		return nil, false, err
	}
	routes, err := h.Routes(inner, outer)
	for _, route := range routes {
		r, err := follow(h, outer, route, inner)
		if err != nil {
			return nil, true, err
		}
		if r != nil {
			known = append(known, route)
		}
	}
	return known, true, err
}

// comesUpon follows a way from target to the tree t that is copied to target, and looks in the tree for entries that would be
// copied to what is on the way. It returns the path, as rules see it, of an entry that would take the place of the tree or
// of a directory above it, or would be removed with it; or "".
func (o Options) comesUpon(h Host, t tree, target, way string) (string, error) {
	rules := o.Rules
	if source.ReadsFiles(rules) {
		rules = nil // what files in directories add to them is not known yet
	}
	top, err := h.Stat(t.path)
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
		attr, err := ifExists(h.Lstat, under(from, entry))
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

// entryFor returns the name of the entry of the directory from that would be copied to name in the directory to: another one
// if the volume of to takes both for the same, and from has no entry called name.
func (o Options) entryFor(h vfs.Host, from, to, name string) (entry string, err error) {
	there, err := ifExists(h.Lstat, under(from, name))
	if err != nil || found(there) {
		return name, err
	}
	want, err := h.Lstat(under(to, name))
	if err != nil {
		return name, err
	}
	isSame := func(spelled string) bool {
		attr, err := ifExists(h.Lstat, under(to, spelled))
		return err == nil && attr.ID() == want.ID()
	}
	other := strings.ToUpper(name)
	if other == name {
		other = strings.ToLower(name)
	}
	if isASCII(name) && (other == name || !isSame(other)) {
		return name, nil // the volume heeds case
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

package operand

import (
	"fmt"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/filesfrom"
	"psync/internal/vfs"
	"psync/internal/vfs/unionfs"
)

// meet reports whether sources have entries in one directory of the destination, apart from those that lead to them.
func meet(placed []placement) bool {
	whole := 0
	names := make(map[string]bool)
	taken := false
	for _, p := range placed {
		if p.err != nil {
			continue
		}
		if len(p.names) == 0 {
			whole++
		}
		for _, name := range p.names {
			taken = taken || names[name]
			names[name] = true
		}
	}
	return taken || whole > 1 || whole == 1 && len(names) > 0
}

// addMerged opens the directories whose contents meet, and adds them as one source, as rsync merges them.
func (r *Roots) addMerged() (err error) {
	o := r.options
	if err := o.checkMerge(r.placed); err != nil {
		return err
	}
	s := source.Tree{EntriesOnly: true, Merged: true}
	var members []unionfs.Member
	var labels []string
	defer func() {
		for _, m := range members {
			if err != nil {
				m.Dir.Close()
			}
		}
	}()
	var dev uint64
	for _, p := range r.placed {
		if p.err != nil {
			continue
		}
		dir, id, err := OpenSame(o.Hosts.Source, o.openSource, p.dir, vfs.ID{})
		if err != nil {
			return err
		}
		members = append(members, unionfs.Member{Dir: dir})
		if o.OneFileSystem && (len(members) > 1 && id.Dev != dev || p.namesMount(dir, id.Dev)) {
			return fmt.Errorf("%w -x if they are on different file systems", ErrMerge)
		}
		dev = id.Dev
		far := isNetwork(dir)
		r.Network = r.Network || far
		r.watch(o.Hosts.Source, p.dir, id, far)
		labels = append(labels, labelOf(p.dir))
		if len(p.names) == 0 {
			s.EntriesOnly = false
			continue
		}
		for _, name := range p.names {
			if !slices.Contains(s.Names, name) {
				s.Names = append(s.Names, name)
			}
		}
		if members[len(members)-1].List, err = p.list(); err != nil {
			return err
		}
	}
	if !s.EntriesOnly {
		s.Names = nil
	}
	s.Label = o.Hosts.Source.Called("{" + strings.Join(labels, ",") + "}")
	show := unionfs.Options{Follow: o.FollowLinks, Hidden: o.hidden()}
	if o.OneFileSystem {
		show.Dev = dev
	}
	s.Dir = unionfs.New(members, show)
	r.Sources = append(r.Sources, s)
	return nil
}

// namesMount reports whether an entry of dir that is copied by its name is on another file system than dev.
func (p placement) namesMount(dir vfs.Dir, dev uint64) bool {
	return slices.ContainsFunc(p.names, func(name string) bool {
		attr, err := vfs.Lstat(dir, name)
		return err == nil && attr.Mode.IsDir() && attr.Dev != dev
	})
}

// labelOf returns the path of a directory without slashes at its end.
func labelOf(dir string) string {
	if label := strings.TrimRight(dir, "/"); label != "" {
		return label
	}
	return "/"
}

// list returns the entries of the directory that are copied.
func (p placement) list() (*filesfrom.List, error) {
	if p.paths != nil {
		return filesfrom.New(p.paths)
	}
	return filesfrom.New(p.names)
}

// hidden returns what reports whether rules leave an entry out, or nil.
func (o Options) hidden() func(path string, isDir bool) bool {
	if o.Rules == nil {
		return nil
	}
	return func(path string, isDir bool) bool {
		return (o.Files == nil || o.Files.Listed(path)) && o.Rules.Hidden(path, isDir)
	}
}

// checkMerge refuses to merge sources with options that would need to know which one an entry is from.
func (o Options) checkMerge(placed []placement) error {
	switch {
	case source.ReadsFiles(o.Rules) || source.NeedsRoot(o.Rules):
		return fmt.Errorf("%w files of rules in directories, or with rules for absolute paths", ErrMerge)
	case o.FollowUnsafe:
		return fmt.Errorf("%w --copy-unsafe-links", ErrMerge)
	case o.RemoveSource && (o.FollowLinks || o.Relative):
		return fmt.Errorf("%w --remove-source-files and -L, -k or -R", ErrMerge)
	case !o.RemoveSource:
		return nil
	}
	for i, p := range placed {
		for j, other := range placed {
			if i == j || p.err != nil || other.err != nil {
				continue
			}
			if _, inside, err := o.Hosts.Source.Inside(p.dir, other.dir); err != nil || inside && p.dir != other.dir {
				if err == nil {
					err = fmt.Errorf("%w --remove-source-files if one of them lies in another", ErrMerge)
				}
				return err
			}
		}
	}
	return nil
}

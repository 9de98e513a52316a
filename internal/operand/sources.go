package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// examineSources examines the operands. With ignoreMissing, it skips operands that do not exist.
func examineSources(h Host, paths []string, ignoreMissing bool) ([]sourceOperand, error) {
	var sources []sourceOperand
	for _, path := range paths {
		attr, err := statSource(h, path, len(paths) == 1)
		if ignoreMissing && errors.Is(err, ErrMissing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s := sourceOperand{path: path, isDir: attr.Mode.IsDir()}
		if len(paths) > 1 || !s.isDir {
			if s.name, err = nameOf(h, path); err != nil {
				return nil, err
			}
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// statSource returns the attributes of a source. With follow, it follows symbolic links, except dangling
// ones, which can be copied as links.
func statSource(h Host, path string, follow bool) (vfs.Attr, error) {
	attr, err := h.Stat(path, vfs.NoFollow)
	switch {
	case notExist(err):
		return attr, fmt.Errorf("%s: %w", h.Called(path), ErrMissing)
	case err != nil || !follow || attr.Mode.Type() != fs.ModeSymlink:
		return attr, err
	}
	target, err := statIfExists(h, path)
	if err != nil || !found(target) {
		return attr, err
	}
	return target, nil
}

// nameOf returns the name that an existing entry has in its directory.
func nameOf(h Host, path string) (string, error) {
	_, last := split(strings.TrimRight(path, "/"))
	if last != "" && last != "." && last != ".." {
		return last, nil
	}
	real, err := h.Resolve(path)
	if err != nil {
		return "", err
	}
	if real == "/" {
		return "", fmt.Errorf("%s: %w", h.Called(path), ErrNoName)
	}
	return filepath.Base(real), nil
}

// maxOpenSources is the maximum number of source directories that stay open from the start. If there are
// more, none stays open, and the run opens each again when it needs it.
const maxOpenSources = 8

// addSources opens the directories that are, or contain, operands.
func (r *Roots) addSources() error {
	for _, p := range r.placed {
		if r.merges && p.err == nil {
			continue
		}
		if err := r.addSource(p, len(r.placed) <= maxOpenSources); err != nil {
			return err
		}
	}
	if r.merges {
		return r.addMerged()
	}
	return nil
}

// addSource opens a directory that is, or contains, operands, and adds it to the sources.
func (r *Roots) addSource(p placement, keepOpen bool) error {
	s := source.Tree{Label: r.options.Hosts.Source.Called(p.dir), Names: p.names, Into: p.into}
	if s.Operands = p.paths; s.Operands == nil {
		s.Operands = p.names
	}
	switch {
	case p.self:
		s.Names = nil // Files lists them
	case p.part != nil:
		s.Names, s.EntriesOnly = p.part.Names, !p.part.Self
	}
	if p.err != nil {
		s.Err = p.err
		r.Sources = append(r.Sources, s)
		return nil
	}
	open := r.options.openSource
	if p.as != "" {
		s.Names, s.Original = []string{p.as}, p.names[0]
		open = func(path string) (vfs.Dir, error) {
			dir, err := r.options.openSource(path)
			if err != nil {
				return nil, err
			}
			return source.Rename(dir, p.names[0], p.as), nil
		}
	}
	dir, id, err := OpenSame(r.options.Hosts.Source, open, p.dir, vfs.ID{})
	if err != nil {
		return err
	}
	far := isNetwork(dir)
	r.Network = r.Network || far
	if keepOpen {
		s.Dir = dir
		r.watch(r.options.Hosts.Source, p.dir, id, far)
	} else {
		dir.Close()
		s.Open = func() (vfs.Dir, error) {
			dir, _, err := OpenSame(r.options.Hosts.Source, open, p.dir, id)
			return dir, err
		}
	}
	r.Sources = append(r.Sources, s)
	return nil
}

// OpenSame opens the directory at path on a host and returns its identity. Unless want is zero, it returns an
// error if the identity differs.
func OpenSame(h Host, openDir func(string) (vfs.Dir, error), path string, want vfs.ID) (vfs.Dir, vfs.ID, error) {
	dir, err := openDir(path)
	if err != nil {
		return nil, vfs.ID{}, err
	}
	attr, err := vfs.Lstat(dir, ".")
	id := attr.ID()
	if err == nil && want != (vfs.ID{}) && id != want {
		err = &fs.PathError{Op: "open", Path: h.Called(path), Err: errOtherDir}
	}
	if err != nil {
		dir.Close()
		return nil, vfs.ID{}, err
	}
	return dir, id, nil
}

// watch makes the run watch a directory that was opened by its path.
func (r *Roots) watch(h Host, path string, id vfs.ID, far bool) {
	r.Watched = append(r.Watched, job.WatchedRoot{
		Label: h.Called(path), ID: id, IsFar: far,
		Stat: func() (vfs.Attr, error) { return h.Stat(path, vfs.Follow) },
	})
}

package place

import (
	"context"
	"io/fs"
	"sync"

	"psync/internal/engine/attrs"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Alternatives are trees with the layout of the destination. Files that they hold need not be copied.
type Alternatives struct {
	Kind plan.AlternativeKind
	Dirs []vfs.Dir // searched in order; the first that has an entry is used
}

// Removes reports whether the destination's entry is removed if one of the trees has the file of the source.
func (a *Alternatives) Removes(sync bool, action plan.Action) bool {
	return len(a.Dirs) > 0 && a.Kind.Removes(sync, action)
}

// Open opens the counterparts of the directory at path in the other trees. Those that cannot be opened are left out.
func (a Alternatives) Open(path string) []*Counterpart {
	dirs := make([]*Counterpart, 0, len(a.Dirs))
	for _, root := range a.Dirs {
		if dir, err := vfs.Descend(root, path, vfs.NoFollow.OpenDir); err == nil {
			dirs = append(dirs, &Counterpart{Dir: dir})
		}
	}
	return dirs
}

// A Counterpart is the directory of another tree that corresponds to one of the destination.
type Counterpart struct {
	Dir vfs.Dir

	mu      sync.Mutex
	lookups int
	facts   map[string]*vfs.Facts // what a listing said of the entries
	whole   bool                  // facts has all of them
}

// mostFacts is how many facts are kept for one directory: some 4 MiB.
const mostFacts = 1 << 14

// lstat returns the attributes of an entry. On a network each lookup takes a round trip, so once there are several, they
// are answered by a listing if it reports attributes. A file that is used is checked to be still the same.
func (c *Counterpart) lstat(name string, v *volume.Volume) (vfs.Attr, error) {
	c.mu.Lock()
	if c.lookups++; c.lookups == source.FewNames+1 && v != nil && v.Network {
		c.facts = make(map[string]*vfs.Facts)
		c.whole = source.ListFacts(c.Dir, func(e vfs.Entry) bool {
			c.facts[e.Name] = e.Facts
			return len(c.facts) < mostFacts
		})
	}
	f, absent := c.facts[name], c.whole && v.IsExact()
	c.mu.Unlock()
	switch {
	case f != nil:
		return f.Attr, nil
	case absent:
		return vfs.Attr{}, fs.ErrNotExist
	}
	return c.Dir.Lstat(name)
}

// An Alternative is what another tree offers for a file.
type Alternative struct {
	Exact vfs.Dir // has the file with the desired attributes; may be nil
	ID    vfs.ID  // of that file
	Near  Source  // has a file with the same contents, or no file; the caller closes it
}

// FindAlternative looks in directories of other trees for a file with the contents of src, whose copy should
// have the attributes o.
func (p *Placer) FindAlternative(ctx context.Context, dirs []*Counterpart, kind plan.AlternativeKind, v attrs.Volumes, name string, src vfs.File, o *attrs.Desired) (a Alternative) {
	for _, dir := range dirs {
		alt, err := p.openSame(ctx, dir, v, name, src, o.Want.Attr)
		if err != nil || alt.File == nil {
			continue // ignore a tree that cannot be used
		}
		if v.Dest != nil && v.Dest.Network && !isStill(alt) {
			vfs.CloseUnwritten(alt)
			continue
		}
		exact := p.Attrs.Matches(v, alt.File, alt.Attr, o)
		if a.Near.File == nil && kind.IsOrigin(exact, p.Attrs.Keep.KeepsPrivileges(&o.Want)) {
			a.Near = alt
		} else {
			vfs.CloseUnwritten(alt)
		}
		if kind.Replaces(exact) {
			a.Exact, a.ID = dir.Dir, alt.Attr.ID()
			break
		}
	}
	return a
}

// HasSame reports whether one of the directories of other trees has a link to target, or a special file, with the
// attributes that o desires. attr holds the attributes of the entry called name in the source.
func (p *Placer) HasSame(dirs []*Counterpart, v attrs.Volumes, name string, attr vfs.Attr, target string, o *attrs.Desired) bool {
	for _, dir := range dirs {
		there, err := dir.Dir.Lstat(name) // not what was listed: what is there may be left out, and removed from the source
		if err != nil {
			continue // ignore a tree that cannot be used
		}
		switch plan.Special(attr, there) {
		case plan.Transfer:
			continue
		case plan.CompareContents:
			if t, err := dir.Dir.Readlink(name); err != nil || t != target {
				continue
			}
		}
		if p.Attrs.Matches(v, metadata.Entry{Dir: dir.Dir, Name: name}, there, o) {
			return true
		}
	}
	return false
}

// isStill reports whether a file still has the attributes that were listed.
func isStill(s Source) bool {
	now, err := s.Stat()
	return err == nil && plan.ChangeOf(s.Attr, now) != plan.ContentsChanged
}

// openSame opens the file in a directory of another tree if the policy considers its contents the same as those of
// src.
func (p *Placer) openSame(ctx context.Context, in *Counterpart, v attrs.Volumes, name string, src vfs.File, want vfs.Attr) (Source, error) {
	there, err := in.lstat(name, v.Dest)
	if err != nil || !there.Mode.IsRegular() {
		return Source{}, err
	}
	verdict := p.Policy.Alternative(want, there, v.Tolerance)
	if verdict == plan.Transfer {
		return Source{}, nil
	}
	f, err := in.Dir.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return Source{}, err
	}
	if verdict == plan.CompareContents {
		same, err := p.Copier.Equal(ctx, src, f, want.Size)
		if err != nil || !same {
			return Source{}, vfs.JoinErrors(err, f.Close())
		}
	}
	return Source{f, there}, nil
}

package mirror

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/vfs"
)

// A Pair is a directory of the source, all names of which are known, and its counterpart.
type Pair struct {
	Src, Dst vfs.Dir
	Names    *dirnames.Set // of the source that take part
	Had      *dirnames.Set // of the destination before, if they are known
	// Keeps reports whether an entry of the destination must survive though the source lacks it.
	Keeps func(e vfs.Entry) bool
	// Failed is called for an entry of the destination that could not be looked up.
	Failed func(name string, err error)
}

// Extraneous is the set of entries that the destination of a pair has and the source lacks.
type Extraneous struct {
	Dirs []vfs.Entry

	pair    *Pair
	others  int             // number of entries that are not directories
	few     []vfs.Entry     // the first fewExtraneous of them
	aliases map[vfs.ID]bool // entries that the source has under another name
}

// fewExtraneous limits the memory of a directory with very many extraneous
// entries. If there are more, the directory is listed once more.
const fewExtraneous = 4096

// Extraneous returns the entries of the destination that the source lacks, except those that must be kept,
// or nil if there are none. It adds the number of entries of the destination to the total of b. If it fails,
// onSource reports whether the error is about the source.
func (p *Pair) Extraneous(b *Budget) (x *Extraneous, onSource bool, err error) {
	p.Names.Sort()
	if p.Had != nil && !p.Names.Lacks(p.Had) {
		b.AddTotal(p.Had.Len())
		return nil, false, nil // entries made since then must not be removed
	}
	x = &Extraneous{pair: p}
	var listed []uint64
	err = p.Dst.ReadDir(func(entries []vfs.Entry) error {
		b.AddTotal(len(entries))
		for _, e := range entries {
			listed = append(listed, dirnames.Hash(e.Name))
			if !p.isExtraneous(e) {
				continue
			}
			e.Name = strings.Clone(e.Name) // otherwise it would keep the whole listing in memory
			if e.Type.IsDir() {
				x.Dirs = append(x.Dirs, e)
			} else if x.others++; x.others <= fewExtraneous {
				x.few = append(x.few, e)
			}
		}
		return nil
	})
	if err != nil || x.others == 0 && len(x.Dirs) == 0 {
		return nil, false, err
	}
	slices.Sort(listed)
	if x.aliases, onSource, err = p.aliases(p.Names.Lacking(listed)); err != nil {
		return nil, onSource, err
	}
	x.Dirs = x.withoutAliases(x.Dirs)
	return x, false, nil
}

// isExtraneous reports whether the source has no entry of this name, and the entry need not be kept.
func (p *Pair) isExtraneous(e vfs.Entry) bool { return !p.Names.Has(e.Name) && !p.Keeps(e) }

// Others calls yield with the entries that are not directories, some at a time. It stops at the first error
// of yield or of a listing, and when ctx is done.
func (x *Extraneous) Others(ctx context.Context, yield func([]vfs.Entry) error) error {
	if x.others == len(x.few) {
		return yield(x.withoutAliases(x.few))
	}
	// A system may leave entries out of a listing while others are removed. Those that
	// could not be removed are listed again.
	var seen dirnames.Set
	for before := -1; seen.Len() < x.others && seen.Len() > before && ctx.Err() == nil; {
		before = seen.Len()
		var now []uint64
		err := x.pair.Dst.ReadDir(func(entries []vfs.Entry) error {
			entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
				return e.Type.IsDir() || seen.Has(e.Name) || !x.pair.isExtraneous(e)
			})
			for _, e := range entries {
				now = append(now, dirnames.Hash(e.Name))
			}
			return yield(x.withoutAliases(entries))
		})
		if err != nil {
			return err
		}
		seen.AddHashes(now)
		seen.Sort()
	}
	return nil
}

// withoutAliases removes the entries that the source has under another name.
func (x *Extraneous) withoutAliases(entries []vfs.Entry) []vfs.Entry {
	if len(x.aliases) == 0 {
		return entries
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool {
		attr, err := x.pair.Dst.Lstat(e.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			x.pair.Failed(e.Name, err)
		}
		return err != nil || x.aliases[attr.ID()]
	})
}

// aliases returns those entries of the destination that it finds under a name
// of the source, but lists under another: file systems that ignore case,
// normalise names or leave out dots at their end do so. Only names whose
// hashes the listing lacks can have such an alias.
func (p *Pair) aliases(missing []uint64) (ids map[vfs.ID]bool, onSource bool, err error) {
	if len(missing) == 0 {
		return nil, false, nil
	}
	ids = make(map[vfs.ID]bool)
	onSource = true
	err = p.Src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if _, ok := slices.BinarySearch(missing, dirnames.Hash(e.Name)); !ok {
				continue
			}
			attr, err := p.Dst.Lstat(e.Name)
			switch {
			case err == nil:
				ids[attr.ID()] = true
			case !errors.Is(err, fs.ErrNotExist):
				onSource = false
				return err
			}
		}
		return nil
	})
	return ids, onSource, err
}

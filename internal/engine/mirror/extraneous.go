package mirror

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Extraneous is the set of entries that a directory of the destination has and its counterpart lacks.
type Extraneous struct {
	Dirs []vfs.Entry

	job     *job.Worker
	dir     *job.Dir
	names   *dirnames.Set   // of the source that take part
	others  int             // number of entries that are not directories
	few     []vfs.Entry     // the first fewExtraneous of them
	aliases map[vfs.ID]bool // entries that the source has under another name
}

// fewExtraneous limits the memory that a directory with very many extraneous entries takes. If there are more, the
// directory is listed again.
const fewExtraneous = 4096

// FindExtraneous returns the entries of d that are not among names, those of its counterpart that take part, except
// entries that must be kept. It returns nil if there are none. If had is not nil, it holds the names that d had
// before anything was made in it. It adds the number of entries of d to the total of the budget. If it
// fails, onSource reports whether the error is about the source.
func FindExtraneous(j *job.Worker, d *job.Dir, names, had *dirnames.Set) (x *Extraneous, onSource bool, err error) {
	names.Sort()
	if had != nil && !names.Lacks(had) {
		job.BudgetOf(j.Run, d).AddTotal(had.Len())
		return nil, false, nil // entries made since then must not be removed
	}
	x = &Extraneous{job: j, dir: d, names: names}
	found := names.Subset()
	err = d.Dst.ReadDir(func(entries []vfs.Entry) error {
		job.BudgetOf(j.Run, d).AddTotal(len(entries))
		for _, e := range entries {
			reportRule(j, d, e)
			if found.Add(e.Name) || x.keeps(e) {
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
	if x.aliases, onSource, err = x.findAliases(found.Rest()); err != nil {
		return nil, onSource, err
	}
	x.Dirs = x.withoutAliases(x.Dirs)
	return x, false, nil
}

// has reports whether the source has no entry of this name and the entry need not be kept.
func (x *Extraneous) has(e vfs.Entry) bool { return !x.names.Has(e.Name) && !x.keeps(e) }

// keeps reports whether an entry must be kept although the source has none of its name.
func (x *Extraneous) keeps(e vfs.Entry) bool {
	return isKept(x.job, x.dir, e) || x.dir.DstVolume.AppleDouble && source.IsAppleDouble(x.dir.Dst, e.Name)
}

// Others calls yield with the entries that are not directories, some at a time. It stops at the first error
// of yield or of a listing, and when ctx is done.
func (x *Extraneous) Others(ctx context.Context, yield func([]vfs.Entry) error) error {
	if x.others == len(x.few) {
		return yield(x.withoutAliases(x.few))
	}
	// A system may omit entries from a listing while others are removed. Those that could not be removed are listed
	// again.
	var seen dirnames.Set
	for before := -1; seen.Len() < x.others && seen.Len() > before && ctx.Err() == nil; {
		before = seen.Len()
		var now []uint64
		err := x.dir.Dst.ReadDir(func(entries []vfs.Entry) error {
			entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
				return e.Type.IsDir() || seen.Has(e.Name) || !x.has(e)
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
		attr, err := source.Stat(x.dir.Dst, e, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed(x.job, x.dir, x.dir, pairs.Dest, report.Event{Name: e.Name, Err: err})
		}
		return err != nil || x.aliases[attr.ID()]
	})
}

// findAliases returns the entries of the destination that it finds under a name of the source but lists under
// another: file systems that ignore case, normalize names or drop trailing dots do so. Only names whose hashes the
// listing lacks can have such an alias.
func (x *Extraneous) findAliases(missing []uint64) (ids map[vfs.ID]bool, onSource bool, err error) {
	if len(missing) == 0 {
		return nil, false, nil
	}
	ids = make(map[vfs.ID]bool)
	onSource = true
	err = x.dir.Src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if _, ok := slices.BinarySearch(missing, dirnames.Hash(e.Name)); !ok {
				continue
			}
			attr, err := vfs.Lstat(x.dir.Dst, e.Name)
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

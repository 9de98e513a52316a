package engine

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// copyPossibleAliases deals with the entries of d that were set apart, now that all others are copied.
func copyPossibleAliases(ctx context.Context, w *worker, d *directory) (broken error) {
	apart := d.aliases.apart
	d.aliases = aliases{}
	listed := listOnce(d, apart)
	for _, a := range apart {
		if d.broken || ctx.Err() != nil {
			break
		}
		isDir := a.entry.Type.IsDir()
		alias, err := w.isAlias(d, a.first, a.entry.Name, listed)
		switch {
		case err != nil:
			w.failed(d, onDest, report.Event{Name: a.entry.Name, IsDir: isDir, Err: err})
		case alias:
			w.failed(d, onSource, report.Event{Name: a.entry.Name, IsDir: isDir, Err: &aliasError{a.first}})
		case isDir:
			broken = w.subdirectories(ctx, d, []vfs.Entry{a.entry})
			d.broken = broken != nil
		default:
			w.entry(ctx, d, a.entry)
		}
	}
	return errors.Join(broken, removeSuperfluous(ctx, w, d))
}

// listOnce returns what tells the names that the destination of d has with the key of a name, of
// those that were set apart. It lists the destination when it is first called.
func listOnce(d *directory, apart []possibleAlias) func(name string) ([]string, error) {
	var listed map[string][]string
	var err error
	return func(name string) ([]string, error) {
		if listed == nil {
			keys := make(map[string]bool, len(apart))
			for _, a := range apart {
				keys[aliasKey(a.entry.Name)] = true
			}
			listed, err = listAliases(d.dst, maps.Keys(keys))
		}
		return listed[aliasKey(name)], err
	}
}

// listAliases returns the names that a directory of the destination has by their keys, as far as
// those are among keys.
func listAliases(dst vfs.Dir, keys iter.Seq[string]) (listed map[string][]string, err error) {
	listed = make(map[string][]string)
	for key := range keys {
		listed[key] = nil
	}
	err = dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			key := aliasKey(e.Name)
			if names, ok := listed[key]; ok {
				listed[key] = append(names, strings.Clone(e.Name))
			}
		}
		return nil
	})
	return listed, err
}

// isAlias asks the destination of d itself whether it takes name for first: what file systems tell
// of themselves is not enough, for it depends on the server, on the way of mounting, and
// on flags of the directory. listed returns the names there with the key of name.
func (w *worker) isAlias(d *directory, first, name string, listed func(name string) ([]string, error)) (bool, error) {
	if d.dst == nil {
		return !w.Compare && !w.Policy.Existing && w.folds(d), nil
	}
	one, hasFirst, err := find(d.dst, first)
	if err != nil {
		return false, err
	}
	other, hasName, err := find(d.dst, name)
	switch {
	case err != nil:
		return false, err
	case hasFirst && hasName:
		names, err := listed(name)
		return plan.IsAlias(first, name, names, one.ID() == other.ID()), err
	case hasFirst != hasName, w.Compare, w.Policy.Existing:
		return false, nil
	}
	// The first could not be copied, or would be: it must not lose its place to the other.
	return w.folds(d), nil
}

// find returns the attributes of an entry, if there is one.
func find(in vfs.Dir, name string) (attr vfs.Attr, ok bool, err error) {
	attr, err = in.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{}, false, nil
	}
	return attr, err == nil, err
}

// folds reports whether the destination of d ignores case, where no two of its entries can
// tell. One that is empty, or that a dry run lacks, would be as the root is.
func (w *worker) folds(d *directory) bool {
	if !w.DryRun {
		return w.triesCase(d)
	}
	for _, dir := range []vfs.Dir{d.dst, w.Dest} {
		if dir == nil {
			continue
		}
		if folds, known := looksFolding(dir); known {
			return folds
		}
	}
	return d.dstVolume != nil && d.dstVolume.Folds
}

// looksFolding reports, without changing anything, whether a directory ignores case: the first entry
// with a letter in its name is looked for by another case.
func looksFolding(dir vfs.Dir) (folds, known bool) {
	_ = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			swapped := swapCase(e.Name)
			if swapped == e.Name || slices.ContainsFunc(entries, func(other vfs.Entry) bool { return other.Name == swapped }) {
				continue
			}
			if _, found, err := find(dir, swapped); err == nil {
				folds, known = found, true
				return errFound
			}
		}
		return nil
	})
	return folds, known
}

// swapCase turns small letters of ASCII into capitals, and capitals into small ones.
func swapCase(name string) string {
	swapped := []byte(name)
	for i, c := range swapped {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			swapped[i] = c ^ 0x20
		}
	}
	return string(swapped)
}

// ignoresCase finds out, once for a volume, whether it takes names for one that differ in
// case. A dry run, which must not try, takes it for granted.
func (w *worker) ignoresCase(d *directory) bool {
	if w.DryRun {
		return true
	}
	return d.dstVolume.ignoresCase(func() bool { return w.triesCase(d) })
}

// triesCase makes a file in the destination of d, and looks for it by another case. A directory
// in which nothing can be made is taken to ignore case.
func (w *worker) triesCase(d *directory) bool {
	w.touch(d)
	name := w.Temporaries.name(w.temps.Add(1))
	f, err := d.dst.Create(name, 0o600)
	if err != nil {
		return true
	}
	defer w.removeProbe(d, name)
	_ = f.Close()
	_, err = d.dst.Lstat(strings.ToUpper(name))
	return err == nil
}

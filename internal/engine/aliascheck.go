package engine

import (
	"context"
	"maps"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// copyDeferredAliases copies the entries of d that deferAliases has left, unless they turn out to be
// aliases. All other entries have been copied by now.
func copyDeferredAliases(ctx context.Context, w *worker, d *directory) {
	deferred := d.aliases.deferred
	d.aliases = aliases{}
	listed := listOnce(d, deferred)
	for _, a := range deferred {
		if ctx.Err() != nil {
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
			w.subdirectories(ctx, d, []vfs.Entry{a.entry})
		default:
			w.entry(ctx, d, a.entry)
		}
	}
	removeSuperfluous(ctx, w, d)
}

// listOnce returns a function that returns the names in the destination of d that have the same key as
// name, which must be one of deferred. It lists the destination when it is first called.
func listOnce(d *directory, deferred []possibleAlias) func(name string) ([]string, error) {
	var listed map[string][]string
	var err error
	return func(name string) ([]string, error) {
		if listed == nil {
			keys := make(map[string]bool, len(deferred))
			for _, a := range deferred {
				keys[dirnames.Key(a.entry.Name)] = true
			}
			listed, err = dirnames.ListAliases(d.dst, maps.Keys(keys))
		}
		return listed[dirnames.Key(name)], err
	}
}

// isAlias reports whether the destination of d has one entry for both name and first. It looks up both
// there, since what a file system says of itself is not enough: that may differ by server, mount option
// and flags of the directory. listed returns the names there with the key of name.
func (w *worker) isAlias(d *directory, first, name string, listed func(name string) ([]string, error)) (bool, error) {
	if d.dst == nil {
		return !w.Compare && !w.Policy.Existing && w.folds(d), nil
	}
	one, hasFirst, err := dirnames.Find(d.dst, first)
	if err != nil {
		return false, err
	}
	other, hasName, err := dirnames.Find(d.dst, name)
	switch {
	case err != nil:
		return false, err
	case hasFirst && hasName:
		names, err := listed(name)
		return plan.IsAlias(first, name, names, one.ID() == other.ID()), err
	case hasFirst != hasName, w.Compare, w.Policy.Existing:
		return false, nil
	}
	// Neither exists: first could not be copied, or this is a dry run. If the names are the same to the
	// destination, name must not take the place of first.
	return w.folds(d), nil
}

// folds reports whether the destination of d ignores case, where looking up two names does not show it.
// A dry run, which must not try, looks at the entries that there are, and if a directory is empty or
// missing, at those of the root.
func (w *worker) folds(d *directory) bool {
	if !w.DryRun {
		return w.probeCase(d)
	}
	for _, dir := range []vfs.Dir{d.dst, w.Dest} {
		if dir == nil {
			continue
		}
		if folds, known := dirnames.FoldsCase(dir); known {
			return folds
		}
	}
	return d.dstVolume != nil && d.dstVolume.Folds
}

// ignoresCase reports whether the volume of d's destination ignores case, which it tries out once for a
// volume. A dry run, which must not try, assumes that it does.
func (w *worker) ignoresCase(d *directory) bool {
	if w.DryRun {
		return true
	}
	return d.dstVolume.IgnoresCase(func() bool { return w.probeCase(d) })
}

// probeCase tries out whether the destination of d ignores case.
func (w *worker) probeCase(d *directory) bool {
	w.touch(d)
	name := w.Temporaries.name(w.temps.Add(1))
	ignored, made := volume.TryCase(d.dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return ignored
}

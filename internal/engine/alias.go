package engine

import (
	"psync/internal/engine/alias"
	"psync/internal/engine/dirnames"
	"psync/internal/engine/pairs"
	"psync/internal/engine/volume"
	"psync/internal/report"
	"psync/internal/vfs"
)

// isAlias reports whether the destination of d takes two names for one; see [alias.Is].
func (w *worker) isAlias(d *directory, first, name string, listed func(name string) ([]string, error)) (bool, error) {
	return alias.Is(d.Dst, first, name, listed, func() bool {
		return !w.Compare && !w.Policy.Existing && w.folds(d)
	})
}

// deferAliases takes out of a chunk of a listing the entries that may be aliases of others.
func (w *worker) deferAliases(d *directory, entries []vfs.Entry) []vfs.Entry {
	path := ""
	rest, failures := w.aliases.Defer(alias.Dir{Src: d.Src, Dst: d.Dst, New: d.fresh(), Folds: d.dstVolume != nil && d.dstVolume.Folds}, entries,
		func(e vfs.Entry) bool {
			if path == "" {
				path = d.path("")
			}
			return !w.selector.Hides(path, e.Name, e.Type.IsDir()) && w.passesPolicy(d, e)
		})
	for _, f := range failures {
		at := pairs.Source
		if f.OnDest {
			at = pairs.Dest
		}
		w.failed(d, at, report.Event{Name: f.Name, IsDir: f.Type.IsDir(), Err: f.Err})
	}
	return rest
}

// passesPolicy reports whether the policy lets an entry of this type and size be copied.
func (w *worker) passesPolicy(d *directory, e vfs.Entry) bool {
	if !w.Policy.Copies(e.Type) {
		return false
	}
	if e.Type != 0 || !w.Policy.LimitsSize() {
		return true
	}
	attr, err := w.stat(d, e.Name)
	return err != nil || !w.Policy.OmitsSize(attr.Size)
}

// folds reports whether the destination of d ignores case, where looking up two names does not show it.
// A dry run, which must not try, looks at the entries that there are, and if a directory is empty or
// missing, at those of the root.
func (w *worker) folds(d *directory) bool {
	if !w.DryRun {
		return w.probeCase(d)
	}
	for _, dir := range []vfs.Dir{d.Dst, w.Dest} {
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
	return d.dstVolume.FoldsCase(func() bool { return w.probeCase(d) })
}

// probeCase tries out whether the destination of d ignores case.
func (w *worker) probeCase(d *directory) bool {
	w.touch(d)
	name := w.newTemp()
	ignored, made := volume.TryCase(d.Dst, name)
	if made {
		w.removeProbe(d, name)
	}
	return ignored
}

package engine

import (
	"psync/internal/engine/alias"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// isAlias reports whether the destination of d takes two names for one; see [alias.Is].
func (w *worker) isAlias(d *jobDir, first, name string, listed func(name string) ([]string, error)) (bool, error) {
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
			return !w.selector.Hides(path, e.Name, e.Type.IsDir()) && w.passesPolicy(d.jobDir, e)
		})
	for _, f := range failures {
		at := pairs.Source
		if f.OnDest {
			at = pairs.Dest
		}
		w.failed(d.jobDir, at, report.Event{Name: f.Name, IsDir: f.Type.IsDir(), Err: f.Err})
	}
	return rest
}

// passesPolicy reports whether the policy lets an entry of this type and size be copied.
func (w *worker) passesPolicy(d *jobDir, e vfs.Entry) bool {
	if !w.Policy.Copies(e.Type) {
		return false
	}
	if e.Type != 0 || !w.Policy.LimitsSize() {
		return true
	}
	attr, err := w.stat(d, e.Name)
	return err != nil || !w.Policy.OmitsSize(attr.Size)
}

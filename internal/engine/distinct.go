package engine

import (
	"slices"
	"strings"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// distinct takes out of entries those whose names the destination takes for one that
// it had to take before, where a directory that exists ignores case or the like. In a
// new one the second entry cannot be made, which tells as well.
func (w *worker) distinct(d *directory, entries []vfs.Entry) []vfs.Entry {
	if d.fresh() || d.dst == nil || !d.dstVolume.Folds || w.Compare {
		return entries
	}
	if d.keys == nil {
		d.keys = make(map[string]string)
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool {
		key := metadata.Folding(true).Key(e.Name)
		first, seen := d.keys[key]
		if !seen {
			name := strings.Clone(e.Name) // or it would keep all of the listing
			if key == e.Name {
				key = name
			}
			d.keys[key] = name
			return false
		}
		if metadata.Composed(first) != metadata.Composed(e.Name) && !w.ignoresCase(d) {
			return false
		}
		w.failed(d, onSource, report.Event{Name: e.Name, IsDir: e.Type.IsDir(), Err: errCollision})
		return true
	})
}

// ignoresCase finds out, once for a volume, whether one that may take several names for
// one does so with those that differ in case. A dry run, which must not try, takes it for granted.
func (w *worker) ignoresCase(d *directory) bool {
	if w.DryRun {
		return true
	}
	return d.dstVolume.ignoresCase(func() bool {
		w.touch(d)
		name := w.Temporaries.name(w.temps.Add(1))
		f, err := d.dst.Create(name, 0o600)
		if err != nil {
			return true
		}
		defer func() { _ = d.dst.Remove(name) }()
		_ = f.Close()
		_, err = d.dst.Lstat(strings.ToUpper(name))
		return err == nil
	})
}

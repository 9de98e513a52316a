package mirror

import (
	"context"
	"strings"

	"psync/internal/vfs"
)

// Clear empties the directory called name in d so that something else can take its place, and reports whether that
// succeeded. It is rarely needed and therefore not parallel.
func (r *Remover) Clear(ctx context.Context, d *Dir, name string) (empty bool) {
	dir, err := OpenDir(d.Dir, name, r.Delete.CrossMounts)
	if err != nil {
		r.failDir(d, name, err)
		return false
	}
	defer dir.Close()
	sub, err := r.below(d, name, dir)
	if err == nil {
		err = r.MayEmpty(sub.Attr, d.Attr.Dev)
	}
	if err != nil {
		if err != ErrInUse {
			r.failDir(d, name, err)
		}
		return false
	}
	defer sub.CloseBackups()
	r.allow(sub)
	defer func() { r.Lifter.RestoreAt(sub.lifted, sub.Dir, ".") }() // rmdir lifts the locks again
	var entries []vfs.Entry
	err = sub.ReadDir(func(some []vfs.Entry) error {
		for _, e := range some {
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	empty = err == nil
	if !empty {
		r.failDir(d, name, err)
	}
	for _, e := range entries {
		switch {
		case ctx.Err() != nil:
			return false
		case r.Keeps(sub, e):
			empty = false
		case e.Type.IsDir():
			empty = r.Clear(ctx, sub, e.Name) && r.rmdir(sub, e.Name) && empty
		default:
			empty = r.RemoveEntry(ctx, sub, e) && empty
		}
	}
	return empty
}

package mirror

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/report"
	"psync/internal/vfs"
)

// Count counts an entry of d that will be removed, with everything in it, in the budget, and reports whether it will
// be gone: a directory that contains a kept entry stays.
func (r *Remover) Count(ctx context.Context, d *Dir, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		r.Budget.AddExtraneous()
		return !r.Backup.On || !r.Backup.InPlace() // otherwise it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dir, err := OpenDir(d.Dir, e.Name, r.Delete.CrossMounts)
	if err != nil {
		// Nothing will be removed from such a directory either.
		if !errors.Is(err, vfs.ErrMount) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			r.Budget.SetUncounted()
		}
		return false
	}
	defer dir.Close()
	attr, err := dir.Lstat(".")
	if err != nil {
		r.Budget.SetUncounted()
		return false
	}
	if r.MayEmpty(attr, d.Attr.Dev) != nil {
		return false
	}
	at := report.Position{Source: d.At.Source, Dir: vfs.Join(d.At.Path(), e.Name)}
	sub := &Dir{Dir: dir, At: at, Into: d.Into, Attr: attr, Failures: d.Failures}
	if r.readRules(sub, d.Rules) != nil {
		return false // the same error keeps it from being emptied
	}
	entries, goes := r.extraneousIn(sub)
	for _, e := range entries {
		goes = r.Count(ctx, sub, e) && goes
	}
	if goes {
		r.Budget.AddExtraneous()
	}
	return goes
}

// extraneousIn returns the entries of d except those that are kept, and reports whether none is kept.
func (r *Remover) extraneousIn(d *Dir) (entries []vfs.Entry, all bool) {
	all = true
	err := d.ReadDir(func(some []vfs.Entry) error {
		r.Budget.AddTotal(len(some))
		for _, e := range some {
			if r.Keeps(d, e) {
				all = false
				continue
			}
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	if err != nil {
		r.Budget.SetUncounted()
	}
	return entries, all
}

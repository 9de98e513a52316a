package mirror

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/report"
	"psync/internal/vfs"
)

// Count counts in the budget an entry of d that is to be removed, and what is in it, and reports
// whether it will go: a directory in which anything is kept stays.
func (r *Remover) Count(ctx context.Context, d *Dir, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		r.Budget.AddExtraneous()
		return !r.Backup.On || !r.Backup.InPlace() // or it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dir, err := OpenDir(d.Dir, e.Name, r.Delete.CrossMounts)
	if err != nil {
		// Of these, nothing will be removed either.
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
		return false // nor will it be emptied
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

// extraneousIn returns the entries of d but for those that are kept, and reports whether those are all.
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

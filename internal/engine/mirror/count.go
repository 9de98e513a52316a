package mirror

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/engine/sweep"
	"psync/internal/vfs"
)

// A Counter counts in a [Budget] what is to be removed.
type Counter struct {
	*Guard
	Budget *Budget
	Left   func(*Dir, sweep.Temporary) // is called for those that must be reported; see [Guard.Keeps]
}

// Count counts an entry of d that is to be removed, and what is in it, and reports
// whether it will go: a directory in which anything is kept stays.
func (c *Counter) Count(ctx context.Context, d *Dir, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		c.Budget.AddExtraneous()
		return !c.Backup.On || !c.Backup.InPlace() // or it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dir, err := OpenDir(d.Dir, e.Name, c.Delete.CrossMounts)
	if err != nil {
		// Of these, nothing will be removed either.
		if !errors.Is(err, vfs.ErrMount) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			c.Budget.SetUncounted()
		}
		return false
	}
	defer dir.Close()
	attr, err := dir.Lstat(".")
	if err != nil {
		c.Budget.SetUncounted()
		return false
	}
	if c.MayEmpty(attr, d.Attr.Dev) != nil {
		return false
	}
	path := vfs.Join(d.Path(), e.Name)
	sub := &Dir{Dir: dir, Attr: attr, Path: func() string { return path }}
	entries, goes := c.extraneous(sub)
	for _, e := range entries {
		goes = c.Count(ctx, sub, e) && goes
	}
	if goes {
		c.Budget.AddExtraneous()
	}
	return goes
}

// extraneous returns the entries of d but for those that are kept, and reports whether those are all.
func (c *Counter) extraneous(d *Dir) (entries []vfs.Entry, all bool) {
	all = true
	err := d.ReadDir(func(some []vfs.Entry) error {
		c.Budget.AddTotal(len(some))
		for _, e := range some {
			keeps, left := c.Keeps(d, e)
			if left.Name != "" {
				c.Left(d, left)
			}
			if keeps {
				all = false
				continue
			}
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	if err != nil {
		c.Budget.SetUncounted()
	}
	return entries, all
}

package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"psync/internal/engine/mirror"
	"psync/internal/vfs"
)

// putOffReplacing leaves for later the entry called name, for which a directory has to go.
func (w *worker) putOffReplacing(ctx context.Context, d *directory, name string) {
	if w.Delete.Max != nil {
		w.countRemoval(ctx, d, vfs.Entry{Name: name, Type: fs.ModeDir})
	}
	d.waits.Store(true)
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.replaced == nil {
		w.postponed.replaced = make(map[entryKey]bool)
	}
	w.postponed.replaced[entryKey{d.key(), name}] = true
}

// countRemoval counts an entry that is to be removed, and what is in it, and reports
// whether it will go: a directory in which anything is kept stays.
func (w *worker) countRemoval(ctx context.Context, d *directory, e vfs.Entry) (goes bool) {
	if !e.Type.IsDir() {
		w.budget.AddExtraneous()
		return !w.Backup.On || !w.Backup.InPlace() // or it stays there as its own backup
	}
	if ctx.Err() != nil {
		return false
	}
	dst, err := mirror.OpenDir(d.Dst, e.Name, w.Delete.CrossMounts)
	if err != nil {
		// Of these, nothing will be removed either.
		if !errors.Is(err, vfs.ErrMount) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			w.budget.SetUncounted()
		}
		return false
	}
	defer dst.Close()
	sub, err := w.below(d, e.Name, dst)
	if err != nil {
		w.budget.SetUncounted()
		return false
	}
	if w.mayEmpty(sub, d.destAttr.Dev) != nil {
		return false
	}
	goes = true
	at := w.cleared(sub)
	var entries []vfs.Entry
	err = dst.ReadDir(func(some []vfs.Entry) error {
		w.budget.AddTotal(len(some))
		for _, e := range some {
			if w.keeps(sub, &at, e) {
				goes = false
				continue
			}
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	if err != nil {
		w.budget.SetUncounted()
	}
	for _, e := range entries {
		goes = w.countRemoval(ctx, sub, e) && goes
	}
	if goes {
		w.budget.AddExtraneous()
	}
	return goes
}

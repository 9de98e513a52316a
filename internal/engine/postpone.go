package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"psync/internal/engine/mirror"
	"psync/internal/vfs"
)

// postponed is what is left to do when everything is copied.
type postponed struct {
	mu       sync.Mutex        // guards what follows
	tasks    map[key]task      // of the directories from which removals were put off
	replaced map[entryKey]bool // entries that are to replace a directory
	reported map[entryKey]bool // entries of the source whose failures were reported
}

// An entryKey names an entry of a directory.
type entryKey struct {
	key
	name string
}

// putsOff reports whether removals from d wait until all of them are counted, or it is
// known where links lead.
func (w *worker) putsOff(d *directory) bool {
	return w.Policy.PutsOff() && d.task.Kind == copyTask
}

// putOff leaves removals from d for later. It may be called again.
func (w *worker) putOff(d *directory) {
	t := d.task
	t.Kind, t.original, t.lineage = clearTask, d.original, nil
	w.postponed.mu.Lock()
	defer w.postponed.mu.Unlock()
	if w.postponed.tasks == nil {
		w.postponed.tasks = make(map[key]task)
	}
	w.postponed.tasks[d.key()] = t
}

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

// isPutOff reports whether putOffReplacing was called for an entry.
func (t *postponed) isPutOff(d *directory, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.replaced[entryKey{d.key(), name}]
}

// isNewFailure reports whether a failure of the source was not reported before: a directory
// whose removals were put off is looked at twice.
func (t *postponed) isNewFailure(d *directory, name string) bool {
	k := entryKey{d.key(), name}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reported == nil {
		t.reported = make(map[entryKey]bool)
	}
	reported := t.reported[k]
	t.reported[k] = true
	return !reported
}

// spend takes one removal from the budget, and stops the run if nothing is left.
func (w *worker) spend() bool {
	err := w.budget.Spend()
	if err != nil {
		w.stop(err)
	}
	return err == nil
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
	var entries []vfs.Entry
	err = dst.ReadDir(func(some []vfs.Entry) error {
		w.budget.AddTotal(len(some))
		for _, e := range some {
			if w.keeps(sub, e) {
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

// removePostponed does the removals that were put off, unless they are too many.
func (r *run) removePostponed(ctx context.Context) error {
	if len(r.postponed.tasks) == 0 {
		return nil
	}
	if err := r.budget.Approve(); err != nil {
		return err
	}
	for _, t := range r.postponed.tasks {
		if up, _ := t.dirs.Parent(); up != nil {
			up.Retain()
		} else {
			t.dirs.Retain()
		}
		r.pool.Put(t)
	}
	r.work(ctx)
	return nil
}

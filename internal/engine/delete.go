package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"psync/internal/report"
	"psync/internal/vfs"
)

var errEmptySource = errors.New("is empty, so nothing is removed from the destination for its sake; is a volume not mounted? (--force-empty-source)")

// removesFrom reports whether entries that the source lacks are to be removed
// from the destination of d. They are not where only some entries are copied.
func (w *worker) removesFrom(d *directory) bool {
	if !w.Delete.On || d.fresh() || d.dst == nil || !w.copiesItself(d) || w.inSpared(d) {
		return false
	}
	if w.Files != nil {
		_, all := w.Files.Names(d.path(""))
		return all && w.Recurse
	}
	return true
}

// isOperand reports whether d is what the user named, not something below it.
func (w *worker) isOperand(d *directory) bool {
	return d.task.Path == "" || len(w.Sources[d.task.Source].Names) > 0 && !strings.Contains(d.task.Path, "/")
}

// removeExtraneous removes from the destination what the source lacks, but for
// directories, which it returns. It is called when everything else in d is done.
func (w *worker) removeExtraneous(ctx context.Context, d *directory) (dirs []string) {
	extraneous, side, err := w.extraneous(d)
	switch {
	case err != nil:
		w.failDir(d, side, "", err)
		return nil
	case len(extraneous) == 0:
		return nil
	case !d.listed && w.isOperand(d) && !w.Delete.EmptySource:
		w.failDir(d, onSource, "", errEmptySource)
		return nil
	case w.putsOff(d):
		for _, e := range extraneous {
			w.tally.count(ctx, w, d, e)
		}
		w.putOff(d)
		return nil
	}
	w.openUp(d)
	for _, e := range extraneous {
		switch {
		case ctx.Err() != nil:
			return nil
		case e.Type.IsDir():
			dirs = append(dirs, e.Name)
		default:
			w.touch(d)
			w.removeEntry(ctx, d, e)
		}
	}
	return dirs
}

// extraneous returns the entries of the destination that the source lacks, but
// for those that must be spared.
func (w *worker) extraneous(d *directory) (found []vfs.Entry, side side, err error) {
	var listed []uint64
	err = d.dst.ReadDir(func(entries []vfs.Entry) error {
		w.tally.total.Add(int64(len(entries)))
		for _, e := range entries {
			listed = append(listed, d.names.hash(e.Name))
			if !d.names.has(e.Name) && !w.spared(d.path(e.Name), e) && !(d.dstVolume.Companions && isCompanion(d.dst, e.Name)) {
				e.Name = strings.Clone(e.Name) // or it would keep all of the listing
				found = append(found, e)
			}
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return nil, onDest, err
	}
	slices.Sort(listed)
	respelled, side, err := w.respelled(d, d.names.lacking(listed))
	if err != nil {
		return nil, side, err
	}
	if len(respelled) > 0 {
		found = slices.DeleteFunc(found, func(e vfs.Entry) bool {
			attr, err := d.dst.Lstat(e.Name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				w.fail(d, onDest, e.Name, err)
			}
			return err != nil || respelled[attr.ID()]
		})
	}
	return found, 0, nil
}

// respelled returns those entries of the destination that it finds under a name
// of the source, but lists under another: file systems that ignore case,
// normalise names or leave out dots at their end do so. Only names whose
// hashes the listing lacks can be meant.
func (w *worker) respelled(d *directory, missing []uint64) (ids map[vfs.ID]bool, side side, err error) {
	if len(missing) == 0 {
		return nil, 0, nil
	}
	ids = make(map[vfs.ID]bool)
	side = onSource
	err = d.src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if _, ok := slices.BinarySearch(missing, d.names.hash(e.Name)); !ok {
				continue
			}
			attr, err := d.dst.Lstat(e.Name)
			switch {
			case err == nil:
				ids[attr.ID()] = true
			case !errors.Is(err, fs.ErrNotExist):
				side = onDest
				return err
			}
		}
		return nil
	})
	return ids, side, err
}

// spared reports whether an entry of the destination must survive though the
// source lacks it.
func (w *worker) spared(path string, e vfs.Entry) bool {
	return w.Rules != nil && w.Rules.Protected(path, e.Type.IsDir()) ||
		w.Backup.isBackup(e.Name) || w.Temporaries.inUse(e.Name)
}

// findSpared finds out which directories, wherever they are, must not be
// removed: those that this run works with.
func (r *run) findSpared() error {
	dirs := slices.Concat(r.Alternatives.Dirs, []vfs.Dir{r.Backup.Dir, r.TempDir})
	for _, dir := range dirs {
		if dir == nil {
			continue
		}
		attr, err := dir.Lstat(".")
		if err != nil {
			return err
		}
		if attr.ID() == r.destID {
			continue // nothing could be removed at all
		}
		if r.spareID == nil {
			r.spareID = make(map[vfs.ID]bool)
		}
		r.spareID[attr.ID()] = true
	}
	return nil
}

// inSpared reports whether the destination of d is one of the directories that this
// run works with, or below one. It is called for each directory after its parent.
func (w *worker) inSpared(d *directory) bool {
	if len(w.spareID) == 0 {
		return false
	}
	up, _ := parent(d.task.Path)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.spareID[d.destAttr.ID()] && !w.sparedBelow[key{d.task.Source, up}] {
		return false
	}
	if w.sparedBelow == nil {
		w.sparedBelow = make(map[key]bool)
	}
	w.sparedBelow[d.key()] = true
	return true
}

// removeEntry removes an entry that is no directory, and reports whether it has
// left the directory: as its own backup it may stay there.
func (w *worker) removeEntry(ctx context.Context, d *directory, e vfs.Entry) bool {
	if !w.spend() {
		return false
	}
	if !w.DryRun {
		err := w.giveUp(ctx, d, e.Name)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return false
		case errors.Is(err, fs.ErrNotExist) && !w.Backup.On, w.isGone(d, e.Name):
			return true
		default:
			w.fail(d, onDest, e.Name, err)
			return false
		}
	}
	w.count.Add(deleted(e.Type), 1)
	w.tell(d, report.Event{Kind: report.Delete, Name: e.Name})
	return !w.Backup.On || !w.Backup.inPlace()
}

// isGone reports whether the destination has no entry of this name any more.
func (w *worker) isGone(d *directory, name string) bool {
	_, err := d.dst.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func deleted(t fs.FileMode) report.Count {
	switch t {
	case 0:
		return report.FilesDeleted
	case fs.ModeDir:
		return report.DirsDeleted
	case fs.ModeSymlink:
		return report.LinksDeleted
	}
	return report.SpecialsDeleted
}

// clear empties the directory called name, so that something else can take its
// place, and reports whether that worked. It is rare, and so not parallel.
func (w *worker) clear(ctx context.Context, d *directory, name string) bool {
	dst, err := w.openDoomed(d.dst, name)
	if err != nil {
		w.failDir(d, onDest, name, err)
		return false
	}
	defer dst.Close()
	sub, err := w.below(d, name, dst)
	if err == nil {
		err = w.mayEmpty(sub, d.destAttr.Dev)
	}
	if err != nil {
		if err != errSpared {
			w.failDir(d, onDest, name, err)
		}
		return false
	}
	defer sub.closeAsides()
	w.allowRemoving(sub)
	var entries []vfs.Entry
	err = dst.ReadDir(func(some []vfs.Entry) error {
		for _, e := range some {
			entries = append(entries, vfs.Entry{Name: strings.Clone(e.Name), Type: e.Type})
		}
		return nil
	})
	empty := err == nil
	if !empty {
		w.failDir(d, onDest, name, err)
	}
	for _, e := range entries {
		switch {
		case ctx.Err() != nil:
			return false
		case w.spared(sub.path(e.Name), e):
			empty = false
		case e.Type.IsDir():
			empty = w.clear(ctx, sub, e.Name) && w.rmdir(sub, e.Name) && empty
		default:
			empty = w.removeEntry(ctx, sub, e) && empty
		}
	}
	return empty
}

// openDoomed opens a directory to look for what can be removed from it.
func (w *worker) openDoomed(in vfs.Dir, name string) (vfs.Dir, error) {
	if c, ok := in.(vfs.Confiner); ok && !w.Delete.CrossMounts {
		return c.OpenDirWithin(name)
	}
	return in.OpenDir(name)
}

// below returns the directory called name in the destination of d, as one that
// is to be removed.
func (w *worker) below(d *directory, name string, dst vfs.Dir) (*directory, error) {
	b := &directory{task: d.task, into: d.into}
	b.task.Path = join(d.task.Path, name)
	b.dst = dst
	var err error
	b.destAttr, err = dst.Lstat(".")
	return b, err
}

// rmdir removes an empty directory, and reports whether it is gone.
func (w *worker) rmdir(d *directory, name string) bool {
	if !w.spend() {
		return false
	}
	if !w.DryRun {
		err := d.dst.Rmdir(name)
		if notEmpty(err) && w.clear(context.Background(), d, name) {
			// Some systems leave entries out of a listing while others are removed.
			err = d.dst.Rmdir(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return true // somebody else was faster
		}
		if err != nil {
			w.failDir(d, onDest, name, err)
			return false
		}
	}
	w.count.Add(report.DirsDeleted, 1)
	w.tell(d, report.Event{Kind: report.Delete, Name: name, IsDir: true})
	return true
}

func notEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)
}

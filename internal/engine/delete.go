package engine

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/source"
	"psync/internal/plan"
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
// directories, which it leaves in d.extraneous. It is called when everything else in d is done.
func (w *worker) removeExtraneous(ctx context.Context, d *directory) {
	s, side, err := w.extraneous(d)
	switch {
	case err != nil:
		w.failDir(d, side, "", err)
		return
	case s.others == 0 && len(s.dirs) == 0:
		return
	}
	remove := w.share
	switch w.Policy.Removal(plan.RemovalFacts{
		IsOperand:   w.isOperand(d),
		SourceEmpty: !d.listed,
		Again:       d.task.Kind != copyTask,
		Sources:     w.dirlinks.sources(d.destAttr.ID()),
	}) {
	case plan.FailEmptySource:
		w.failDir(d, onSource, "", errEmptySource)
		return
	case plan.FailSeveralSources:
		w.failDir(d, onDest, "", errManySources)
		return
	case plan.RemoveLater:
		d.waits.Store(true)
		return
	case plan.CountFirst:
		d.waits.Store(true)
		remove = w.countExtraneous
		_ = remove(ctx, d, s.dirs)
	case plan.Remove:
		w.openUp(d)
		for _, e := range s.dirs {
			d.extraneous = append(d.extraneous, e.Name)
		}
	}
	if s.others == len(s.few) {
		_ = remove(ctx, d, w.butRespelled(d, s, s.few))
		return
	}
	// A system may leave entries out of a listing while others are removed. Those that
	// could not be removed are met again.
	var met dirnames.Set
	for before := -1; met.Len() < s.others && met.Len() > before && ctx.Err() == nil; {
		before = met.Len()
		var now []uint64
		err := d.dst.ReadDir(func(entries []vfs.Entry) error {
			entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool { return e.Type.IsDir() || met.Has(e.Name) || !w.isExtraneous(d, e) })
			for _, e := range entries {
				now = append(now, dirnames.Hash(e.Name))
			}
			return remove(ctx, d, w.butRespelled(d, s, entries))
		})
		if err != nil && ctx.Err() == nil {
			w.failDir(d, onDest, "", err)
			return
		}
		met.AddHashes(now)
		met.Sort()
	}
}

// countExtraneous counts entries that are to be removed later.
func (w *worker) countExtraneous(ctx context.Context, d *directory, entries []vfs.Entry) error {
	for _, e := range entries {
		w.countRemoval(ctx, d, e)
	}
	return context.Cause(ctx)
}

// A surplus is what the destination of a directory has and the source lacks.
type surplus struct {
	dirs      []vfs.Entry
	others    int             // entries that are no directories
	few       []vfs.Entry     // the first fewExtraneous of them
	respelled map[vfs.ID]bool // entries that the source has under another name
}

// fewExtraneous limits the memory of a directory with very many extraneous
// entries. What is more than that is listed once more.
const fewExtraneous = 4096

// extraneous finds out what of the destination the source lacks, but for what must be spared.
func (w *worker) extraneous(d *directory) (s surplus, side side, err error) {
	d.names.Sort()
	if d.had != nil && !d.names.Lacks(d.had) {
		w.budget.AddTotal(d.had.Len())
		return surplus{}, 0, nil // and what came since is not ours to remove
	}
	var listed []uint64
	err = d.dst.ReadDir(func(entries []vfs.Entry) error {
		w.budget.AddTotal(len(entries))
		for _, e := range entries {
			listed = append(listed, dirnames.Hash(e.Name))
			if !w.isExtraneous(d, e) {
				continue
			}
			e.Name = strings.Clone(e.Name) // or it would keep all of the listing
			if e.Type.IsDir() {
				s.dirs = append(s.dirs, e)
			} else if s.others++; s.others <= fewExtraneous {
				s.few = append(s.few, e)
			}
		}
		return nil
	})
	if err != nil || s.others == 0 && len(s.dirs) == 0 {
		return surplus{}, onDest, err
	}
	slices.Sort(listed)
	s.respelled, side, err = w.respelled(d, d.names.Lacking(listed))
	s.dirs = w.butRespelled(d, s, s.dirs)
	return s, side, err
}

// isExtraneous reports whether the source lacks an entry, going by its name, and it needs not be spared.
func (w *worker) isExtraneous(d *directory, e vfs.Entry) bool {
	return !d.names.Has(e.Name) && !w.spared(d, e) && !(d.dstVolume.AppleDouble && source.IsAppleDouble(d.dst, e.Name))
}

// butRespelled leaves out those entries that the source has under another name.
func (w *worker) butRespelled(d *directory, s surplus, entries []vfs.Entry) []vfs.Entry {
	if len(s.respelled) == 0 {
		return entries
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool {
		attr, err := d.dst.Lstat(e.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.fail(d, onDest, e.Name, err)
		}
		return err != nil || s.respelled[attr.ID()]
	})
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
			if _, ok := slices.BinarySearch(missing, dirnames.Hash(e.Name)); !ok {
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

// spared reports whether an entry of the destination of d must survive though the
// source lacks it.
func (w *worker) spared(d *directory, e vfs.Entry) bool {
	return w.selector.IsVolumeFile(w.keepsVolumeFiles(d), e.Name) || w.Rules != nil && w.Rules.Protected(d.path(e.Name), e.Type.IsDir()) ||
		w.Backup.IsBackup(e.Name) || w.keepsTemporary(d, e)
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
		r.mu.Lock()
		r.spareLocked(attr.ID())
		r.mu.Unlock()
	}
	return nil
}

func (r *run) spareLocked(id vfs.ID) {
	if r.spareID == nil {
		r.spareID = make(map[vfs.ID]bool)
	}
	r.spareID[id] = true
}

func (r *run) isSpared(id vfs.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spareID[id]
}

// inSpared reports whether the destination of d is one of the directories that this
// run works with, or below one. It is called for each directory after its parent.
func (w *worker) inSpared(d *directory) bool {
	up, _ := parent(d.task.Path)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.spareID) == 0 {
		return false
	}
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
	w.doing.SetName(e.Name)
	defer w.doing.SetName("")
	if !w.stillHolds(premiseFor(d, e.Name)) || !w.spend() {
		return false
	}
	if !w.DryRun {
		err := w.removeOrBackUp(ctx, d, e.Name)
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
	return !w.Backup.On || !w.Backup.InPlace() || w.Process.Abandoned(e.Name)
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

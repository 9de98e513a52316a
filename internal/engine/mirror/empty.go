package mirror

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Dir returns the directory of rm, open as dir.
func (r *Remover) Dir(rm *Removal, dir vfs.Dir) *Dir {
	return &Dir{
		Dir: dir, At: rm.Position(), Into: rm.into(), Premise: rm.Premise, Backups: r.newBackupDir(), Failures: rm.Premise.failures(),
	}
}

// Position returns the position of the directory for reports.
func (rm *Removal) Position() report.Position {
	return report.Position{Source: rm.Source, DirPath: rm}
}

// Empty lists d, the directory of rm. It calls sub with the name of each subdirectory to remove, and remove with the
// other entries, some at a time.
func (r *Remover) Empty(ctx context.Context, d *Dir, rm *Removal, sub func(name string), remove func([]vfs.Entry) error) {
	attr, err := d.Lstat(".")
	d.Attr = attr
	rm.id = attr.ID()
	if errors.Is(err, fs.ErrNotExist) {
		return // another process was faster
	}
	if err == nil {
		err = r.MayEmpty(attr, rm.Dev)
	}
	if err == nil {
		err = r.readRules(d, rm.Rules)
	}
	if err != nil {
		rm.Keep()
		if err != ErrInUse {
			r.failDir(d, "", err)
		}
		return
	}
	rm.Rules = d.Rules
	d.Original = r.Backups.Original(attr, attr.Mode, rm.Parent.Original)
	rm.Original = d.Original
	r.allow(d)
	rm.lifted = d.lifted
	d.Volume = r.Volumes.Of(d.Dir, attr)
	err = d.ReadDir(func(entries []vfs.Entry) error {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			switch {
			case d.Volume.AppleDouble && source.IsAppleDouble(d.Dir, e.Name): // it is removed with that entry, or stays
				return true
			case r.Keeps(d, e):
				rm.Keep()
				return true
			}
			return false
		})
		for _, e := range entries {
			if e.Type.IsDir() {
				sub(e.Name)
			}
		}
		return remove(slices.DeleteFunc(entries, func(e vfs.Entry) bool { return e.Type.IsDir() }))
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
		rm.Keep()
		r.failDir(d, "", err)
	}
}

// RemoveEmptyDir removes the directory called name from d, which will be removed itself, if it is empty, and reports
// whether it did. It takes one call. It leaves removals to the general method if they depend on a source, or if the
// directory is on another host, where a failed call costs a round trip.
func (r *Remover) RemoveEmptyDir(d *Dir, name string) (gone bool) {
	if d.Premise != nil || r.DryRun || d.Volume == nil || d.Volume.Network || d.Dir.Rmdir(name) != nil {
		return false
	}
	r.Deleted(d, vfs.Entry{Name: name, Type: fs.ModeDir})
	return true
}

// Finish ends a part of a removal; see [Removal.Finish]. It removes the directories that have become empty.
func (r *Remover) Finish(rm *Removal, stays func(*Removal)) { rm.Finish(r.removeEmptied, stays) }

// removeEmptied removes the directory of rm, which holds nothing except what is kept, and reports whether it is gone.
func (r *Remover) removeEmptied(rm *Removal) (gone bool) {
	if rm.IsKept() {
		r.restoreKept(rm)
		rm.Close()
		return false
	}
	up := rm.Parent
	dst, err := rm.UseParent()
	// Over SMB, an open directory stays until it is closed.
	rm.Close()
	d := r.Dir(up, dst)
	d.Failures = rm.Premise.failures()
	if err != nil {
		r.failDir(d, rm.Name, err)
		return false
	}
	defer up.Done()
	d.Attr.Dev, d.Premise = rm.Dev, rm.Premise
	if !r.rmdir(d, rm.Name) {
		r.Lifter.RestoreAt(rm.lifted, dst, rm.Name)
		return false
	}
	if up.Base != nil {
		up.Base.Removed()
	}
	return true
}

// restoreKept restores what was lifted from a directory that was to be removed but stays.
func (r *Remover) restoreKept(rm *Removal) {
	if !rm.lifted.Any() {
		return
	}
	if dst, err := rm.Use(); err == nil {
		r.Lifter.RestoreAt(rm.lifted, dst, ".")
		rm.Done()
	}
}

package mirror

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/engine/job"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// Dir returns the directory of rm, open as dst.
func (rm *Removal) Dir(dst vfs.Dir) *job.Dir {
	return &job.Dir{Task: job.Task{Source: rm.Source}, Removal: rm, Into: rm.into(), Dst: dst}
}

// Empty lists d, the directory of rm. It calls sub with the name of each subdirectory to remove, and remove with the
// other entries, some at a time.
func Empty(ctx context.Context, j *job.Worker, d *job.Dir, rm *Removal, sub func(name string), remove func([]vfs.Entry) error) {
	attr, err := vfs.Lstat(d.Dst, ".")
	d.DestAttr = attr
	rm.id = attr.ID()
	if errors.Is(err, fs.ErrNotExist) {
		return // another process was faster
	}
	if err == nil {
		err = mayEmpty(j, attr, rm.Dev)
	}
	if err == nil {
		err = readRules(j, d, rm.Rules)
	}
	if err != nil {
		rm.Keep()
		if err != ErrInUse {
			failDir(j, d, rm.Premise, "", err)
		}
		return
	}
	rm.Rules = d.InForce().Dest
	d.Task.Original = j.Run.Backups.Original(attr, attr.Mode, rm.Parent.Original)
	rm.Original = d.Task.Original
	allow(j, d)
	rm.lifted = d.Lifted
	setVolume(j, d)
	err = d.Dst.ReadDir(func(entries []vfs.Entry) error {
		entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
			reportRule(j, d, e)
			switch {
			case d.DstVolume.AppleDouble && source.IsAppleDouble(d.Dst, e.Name): // it is removed with that entry, or stays
				return true
			case isKept(j, d, e):
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
		failDir(j, d, rm.Premise, "", err)
	}
}

// setVolume finds out which volume d is on.
func setVolume(j *job.Worker, d *job.Dir) {
	d.DstVolume = j.Run.Volumes.Of(d.Dst, d.DestAttr)
	d.FarDest = d.DstVolume.Network
}

// RemoveEmptyDir removes the directory called name from d, the directory of rm, if it is empty, and reports whether it
// did. It takes one call. It leaves removals to the general method if they depend on a source, or if the
// directory is on another host, where a failed call costs a round trip.
func RemoveEmptyDir(j *job.Worker, d *job.Dir, rm *Removal, name string) (gone bool) {
	if rm.Premise != nil || j.Run.Job.DryRun || d.DstVolume == nil || d.DstVolume.Network || d.Dst.Rmdir(name) != nil {
		return false
	}
	Deleted(j, d, vfs.Entry{Name: name, Type: fs.ModeDir})
	return true
}

// Finish ends a part of a removal; see [Removal.Finish]. It removes the directories that have become empty.
func Finish(j *job.Worker, rm *Removal, stays func(*Removal)) {
	rm.Finish(func(rm *Removal) bool { return removeEmptied(j, rm) }, stays)
}

// parents are for directories that lose a subdirectory, which are in use for one call.
var parents = sync.Pool{New: func() any { return new(job.Dir) }}

// removeEmptied removes the directory of rm, which holds nothing except what is kept, and reports whether it is gone.
func removeEmptied(j *job.Worker, rm *Removal) (gone bool) {
	if rm.IsKept() {
		restoreKept(j, rm)
		rm.Close()
		return false
	}
	up := rm.Parent
	dst, err := rm.UseParent()
	// Over SMB, an open directory stays until it is closed.
	rm.Close()
	d := parents.Get().(*job.Dir)
	defer parents.Put(d)
	*d = job.Dir{Task: job.Task{Source: up.Source, Original: up.Original}, Removal: up, Into: up.into(), Dst: dst}
	if up.Rules != nil { // since it was listed
		d.Task.Rules = &source.InForce{Dest: up.Rules}
	}
	if err != nil {
		failDir(j, d, rm.Premise, rm.Name, err)
		return false
	}
	defer up.Done()
	d.DestAttr.Dev = rm.Dev
	if !rmdir(j, d, rm.Premise, rm.Name) {
		j.Run.Lifter.RestoreAt(rm.lifted, dst, rm.Name)
		return false
	}
	if up.Base != nil && rm.Premise != nil {
		rm.Premise.In.TimesChanged.Store(true)
	}
	return true
}

// restoreKept restores what was lifted from a directory that was to be removed but stays.
func restoreKept(j *job.Worker, rm *Removal) {
	if !rm.lifted.Any() {
		return
	}
	if dst, err := rm.Use(); err == nil {
		j.Run.Lifter.RestoreAt(rm.lifted, dst, ".")
		rm.Done()
	}
}

package job

import (
	"sync"

	"psync/internal/engine/pairs"
	"psync/internal/lazymap"
	"psync/internal/vfs"
)

// SyncTargets are the file systems that a run with Fsync syncs at its end.
type SyncTargets struct {
	mu sync.Mutex // guards m
	m  map[uint64]Key
}

// Add records that the destination at k is on the device dev.
func (t *SyncTargets) Add(dev uint64, k Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.m[dev]; !known {
		lazymap.Set(&t.m, dev, k)
	}
}

// others returns one directory for each device that is not in known.
func (t *SyncTargets) others(known map[uint64]bool) (keys []Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for dev, k := range t.m {
		if !known[dev] {
			keys = append(keys, k)
		}
	}
	return keys
}

// SyncAll syncs every file system of the destination, of backups and of temporary files as a whole, and reports
// whether that succeeded.
func (w *Worker) SyncAll() bool {
	known := make(map[uint64]bool)
	ok := true
	for _, dir := range []vfs.Dir{w.Run.Job.Dest, w.Run.Job.Backup.Dir, w.Run.Job.TempDir} {
		if dir == nil {
			continue
		}
		ok = w.syncVolume(dir, Key{}, known) && ok
	}
	for _, k := range w.Run.Syncs.others(known) {
		dir, closeDir, err := w.Run.Roots.OpenDest(k, w.Run.Job.Links.KeepDirlinks)
		if err != nil {
			w.FailDir(w.Run.placeOf(k), pairs.Dest, "", err)
			ok = false
			continue
		}
		ok = w.syncVolume(dir, k, known) && ok
		closeDir()
	}
	return ok
}

// syncVolume syncs the file system of the directory at k, unless it is one of known.
func (w *Worker) syncVolume(dir vfs.Dir, k Key, known map[uint64]bool) (ok bool) {
	d := w.Run.placeOf(k)
	attr, err := vfs.Lstat(dir, ".")
	if err == nil && known[attr.Dev] {
		return true
	}
	if err == nil {
		d.DestAttr, known[attr.Dev] = attr, true
		err = dir.SyncVolume()
	}
	if err != nil {
		w.FailDir(d, pairs.Dest, "", err)
	}
	return err == nil
}

// placeOf returns what messages need to know about the directory at k.
func (r *Run) placeOf(k Key) *Dir {
	return r.NewDir(Task{Source: k.Source, Path: k.Path})
}

package engine

import (
	"errors"
	"io/fs"
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/vfs"
)

// leaveTemporary reports, once, a temporary in the destination of p that is left because its process may still
// run, unless the source has an entry of the same name. The path of at is below the destination.
func (w *jobWorker) leaveTemporary(p pairs.Pair, at key, t sweep.Temporary) {
	if p.Src != nil {
		if _, err := p.Src.Lstat(t.Name); err == nil {
			return
		}
	}
	if !w.temporaries.add(entryKey{at, t.Name}) {
		return
	}
	event := report.Event{Kind: report.Leave, Root: w.DestLabel, Dir: at.path, Name: t.Name, IsDir: t.IsDir, Size: t.Size}
	if p.Dst == w.TempDir {
		event.Root = "--temp-dir"
	}
	w.Sink.Event(event)
}

// removeTemporary removes a temporary of this run from dir. If that fails and dir is the destination of
// d, the next run will look for it there.
func (w *jobWorker) removeTemporary(d *jobDir, dir vfs.Dir, name string) error {
	err := ignoreNotExist(w.lifter.Remove(dir, name))
	if err != nil && dir == d.Dst {
		d.littered.Store(true)
	}
	return err
}

// removeTempDir is removeTemporary for an empty directory in the destination of d.
func (w *jobWorker) removeTempDir(d *jobDir, name string) error {
	err := ignoreNotExist(d.Dst.Rmdir(name))
	if err != nil {
		d.littered.Store(true)
	}
	return err
}

// ignoreNotExist returns err unless it says that an entry does not exist.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// removeProbe removes a file that was made to find out what a volume does.
func (w *jobWorker) removeProbe(d *jobDir, name string) {
	if err := w.removeTemporary(d, d.Dst, name); err != nil {
		w.fail(d, pairs.Dest, name, err)
	}
}

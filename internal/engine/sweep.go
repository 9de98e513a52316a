package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// mayHoldTemporaries reports whether an earlier run can have left temporaries in
// the destination of d. One that has the time of its source was finished, and
// no entry was made in it since, so nothing is to be looked for there. On a
// network file system listing it brings the attributes of its entries as well.
func (w *worker) mayHoldTemporaries(d *directory) bool {
	return !w.DryRun && d.dst != nil && !d.fresh() &&
		(d.farDest || !w.Keep.Mtime || !d.attr.Mtime.Equal(d.destAttr.Mtime))
}

// A rootSweep is what sweeping the destination's root has found, for all sources of which
// only entries are copied there: each of them would list it once more.
type rootSweep struct {
	once  sync.Once
	had   *names
	inUse []string
}

// sweepRoot does what sweep does, but once for all sources that have the same root.
func (w *worker) sweepRoot(d *directory) {
	if d.path("") != "" || w.copiesItself(d) || d.names != nil {
		w.sweep(d)
		return
	}
	w.rootSweep.once.Do(func() {
		w.sweep(d)
		w.rootSweep.had, w.rootSweep.inUse = d.had, d.inUse
	})
	d.had, d.inUse = w.rootSweep.had, w.rootSweep.inUse
}

// sweep removes the temporaries of dead processes from the destination of d. What else it has is
// remembered in d.had, if that helps.
func (w *worker) sweep(d *directory) {
	var had *names
	if d.farDest || d.names != nil {
		had = new(names)
	}
	err := d.dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			by, attr := w.ownerOf(d, e.Name)
			switch by {
			case dead:
				w.sweepOne(d, e)
				continue
			case running:
				d.inUse = append(d.inUse, strings.Clone(e.Name))
			case unknown:
				if d.names == nil { // or it is looked at when the others are removed
					w.leaveTemporary(d, e, attr)
				}
			}
			if had != nil {
				had.add(e.Name)
			}
		}
		return nil
	})
	if err == nil && had != nil {
		had.sort()
		d.had = had
	}
}

// sweepOne removes a temporary of a dead process.
func (w *worker) sweepOne(d *directory, e vfs.Entry) {
	w.touch(d)
	remove := w.remove
	if e.Type.IsDir() {
		remove = w.removeDir
	}
	if err := remove(d.dst, e.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.littered = true
		if d.dst == w.TempDir {
			err = fmt.Errorf("--temp-dir: %w", err)
		}
		w.failed(d, onDest, report.Event{Name: e.Name, IsDir: e.Type.IsDir(), Err: err})
	}
}

// ownerOf returns whom an entry of the destination of d belongs to, as a temporary, and
// its attributes if they had to be looked up for that.
func (w *worker) ownerOf(d *directory, name string) (owner, vfs.Attr) {
	by, understood, is := isTemporary(name)
	if !is {
		return noProcess, vfs.Attr{}
	}
	if understood {
		if o := w.Temporaries.owner(by, time.Time{}, time.Time{}, false); o != unknown {
			return o, vfs.Attr{}
		}
	}
	attr, err := d.dst.Lstat(name)
	if err != nil || !understood {
		return unknown, attr
	}
	local := !w.volumes.of(d.dst, d.destAttr).Device.Network
	return w.Temporaries.owner(by, attr.Ctime.Time(), time.Now(), local), attr
}

// keepsTemporary reports whether an entry that the source lacks is the temporary of a process that is
// at work, or may be.
func (w *worker) keepsTemporary(d *directory, e vfs.Entry) bool {
	if w.onlyRemoves {
		return false // what is named is to go
	}
	by, attr := w.ownerOf(d, e.Name)
	if by != unknown {
		return by == running
	}
	if attr.Ctime != 0 && time.Since(attr.Ctime.Time()) > longUnchanged {
		return false
	}
	w.leaveTemporary(d, e, attr)
	return true
}

// leaveTemporary reports, once, a temporary of which it is not known whether a process is at
// work on it, unless the source has it, too.
func (w *worker) leaveTemporary(d *directory, e vfs.Entry, attr vfs.Attr) {
	if d.src != nil {
		if _, err := d.src.Lstat(e.Name); err == nil {
			return
		}
	}
	at := entryKey{d.key(), strings.Clone(e.Name)}
	w.mu.Lock()
	told := w.left[at]
	if w.left == nil {
		w.left = make(map[entryKey]bool)
	}
	w.left[at] = true
	w.mu.Unlock()
	if told {
		return
	}
	event := w.event(d, onDest, report.Event{Kind: report.Leave, Name: at.name, IsDir: e.Type.IsDir(), Size: attr.Size})
	if d.dst == w.TempDir {
		event.Root = "--temp-dir"
	}
	w.Sink.Event(event)
}

// removeTemporary removes a temporary of this run from dir. If that is the destination of d,
// and it fails, the next run looks for it there.
func (w *worker) removeTemporary(d *directory, dir vfs.Dir, name string) error {
	err := ignoreNotExist(w.remove(dir, name))
	if err != nil && dir == d.dst {
		d.littered = true
	}
	return err
}

// removeTempDir is removeTemporary for an empty directory in the destination of d.
func (w *worker) removeTempDir(d *directory, name string) error {
	err := ignoreNotExist(d.dst.Rmdir(name))
	if err != nil {
		d.littered = true
	}
	return err
}

// removeProbe removes a file by which a volume was tried out.
func (w *worker) removeProbe(d *directory, name string) {
	if err := w.removeTemporary(d, d.dst, name); err != nil {
		w.fail(d, onDest, name, err)
	}
}

// holdsTemporaries reports whether a temporary has been left in the destination of d. Its time must
// differ from that of the source then, so that the next run looks for it; see mayHoldTemporaries.
func (w *worker) holdsTemporaries(d *directory) bool {
	if d.littered {
		return true
	}
	for _, name := range d.inUse {
		if _, err := d.dst.Lstat(name); err == nil {
			return true
		}
	}
	return false
}

package engine

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"

	"psync/internal/engine/attrs"
	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// reporting is what is known of reports, and what was reported.
type reporting struct {
	onlyRemoves    bool        // the trees of Sources, from where they are
	unlisted       bool        // removals are not reported
	stopped        atomic.Bool // a fatal error was reported
	sourceFailures entrySet    // a directory whose removals are postponed is looked at twice
	temporaries    entrySet    // that were left
}

// emit emits an event about a step of the plan.
func (w *jobWorker) emit(d *jobDir, e report.Event) {
	e.Dir = d.path("")
	w.Sink.Event(e)
}

// event completes an event with the place it is about.
func (w *jobWorker) event(d *jobDir, side pairs.Side, e report.Event) report.Event {
	if side == pairs.Source || w.onlyRemoves {
		e.Root, e.Dir = w.Sources[d.task.Source].Label, d.task.Path
	} else {
		e.Root, e.Dir = w.DestLabel, d.path("")
	}
	return e
}

// errStopped stands for an entry that was given up because the run ends.
var errStopped = errors.New("stopped")

// fail reports that the entry called name could not be copied. It ends the run if
// nothing else could be either.
func (w *jobWorker) fail(d *jobDir, side pairs.Side, name string, err error) {
	w.failed(d, side, report.Event{Name: name, Err: err})
}

// failDir reports the same of a directory, or of d itself for "".
func (w *jobWorker) failDir(d *jobDir, side pairs.Side, name string, err error) {
	w.failed(d, side, report.Event{Name: name, IsDir: true, Err: err})
}

// stopsWhenLost ends the run if an error says that a connection is lost, and reports whether it does.
func (w *jobWorker) stopsWhenLost(err error) bool {
	lost, ok := errors.AsType[*vfs.LostError](err)
	if ok && !w.stopped.Swap(true) {
		w.stop(lost)
	}
	return ok
}

func (w *jobWorker) failed(d *jobDir, side pairs.Side, e report.Event) {
	d.trouble.Store(true)
	switch {
	case e.Err == errStopped, w.stopsWhenLost(e.Err):
		return // the entry is not to blame
	case side == pairs.Source && w.Policy.PostponesRemoval() && !w.sourceFailures.add(entryKey{d.key(), e.Name}):
		return
	}
	if w.profiles.source.Dataless != 0 && errors.Is(e.Err, syscall.EDEADLK) {
		e.Err = errDataless
	}
	// A file that is opened for writing may as well be locked.
	if (side == pairs.Source || e.IsDir) && w.profiles.of(side).MayBePrivate(e.Err) {
		w.count.Add(report.Private, 1)
	}
	// A file system mounted somewhere in the destination may be full on its own.
	if fatal := Fatal(e.Err); fatal != nil && side == pairs.Dest && (w.onlyRemoves || d.destAttr.Dev == w.destID.Dev) {
		if w.stopped.Swap(true) {
			return // several workers have found the same failure
		}
		w.stop(fatal)
	}
	var count report.Count
	e.Kind, count = report.Fail, report.Failed
	// Where a system hides entries, an entry that cannot be found may still exist.
	if side == pairs.Source && errors.Is(e.Err, fs.ErrNotExist) && !w.profiles.of(side).ListedMayLack {
		e.Kind, count = report.Vanish, report.Vanished
	}
	w.count.Add(count, 1)
	w.Sink.Event(w.event(d, side, e))
}

// reportAttrs reports what was noted of the attributes of an entry, or of d itself for "". An entry fails
// once for what could not be read or set, however much that is: failed says that it has.
func (w *jobWorker) reportAttrs(d *jobDir, name string, failed *bool, notes attrs.Notes) {
	for _, n := range notes {
		if n.Failed {
			w.failAttrs(d, name, failed, n)
			continue
		}
		for attr := report.Attr(1); attr <= n.Attrs; attr <<= 1 {
			if n.Attrs&attr == 0 {
				continue
			}
			e := report.Event{Kind: report.Unkept, Name: name, IsDir: name == "", Attr: attr, Err: n.Err, Asked: n.Asked&attr != 0}
			if e.Asked {
				w.count.Add(report.Unkeeps, 1)
			}
			w.Sink.Event(w.event(d, pairs.Dest, e))
		}
	}
}

func (w *jobWorker) failAttrs(d *jobDir, name string, failed *bool, n attrs.Note) {
	if *failed {
		return
	}
	*failed = true
	at := pairs.Dest
	if n.OnSource {
		at = pairs.Source
	}
	w.failed(d, at, report.Event{Name: name, IsDir: name == "", Err: n.Err})
}

// An entrySet is a set of entries.
type entrySet struct {
	mu sync.Mutex // guards m
	m  map[entryKey]bool
}

// add adds an entry, and reports whether it is new.
func (t *entrySet) add(k entryKey) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m == nil {
		t.m = make(map[entryKey]bool)
	}
	had := t.m[k]
	t.m[k] = true
	return !had
}

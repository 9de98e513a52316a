package engine

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/report"
)

// A side is one of the two trees.
type side uint8

const (
	onSource side = iota + 1
	onDest
)

// tell emits an event about a step of the plan.
func (w *worker) tell(d *directory, e report.Event) {
	e.Dir = join(d.into, d.task.Path)
	w.Sink.Event(e)
}

// event completes an event with the place it is about.
func (w *worker) event(d *directory, side side, e report.Event) report.Event {
	if side == onSource {
		e.Root, e.Dir = w.Sources[d.task.Source].Label, d.task.Path
	} else {
		e.Root, e.Dir = w.DestLabel, join(d.into, d.task.Path)
	}
	return e
}

// errStopped stands for an entry that was given up because the run ends.
var errStopped = errors.New("stopped")

// both joins two errors of which either may be nil.
func both(err, also error) error {
	switch {
	case also == nil:
		return err
	case err == nil:
		return also
	}
	return errors.Join(err, also)
}

// fail tells that the entry called name, or d itself for "", could not be
// copied. It ends the run if nothing else could be either.
func (w *worker) fail(d *directory, side side, name string, err error) {
	if err == errStopped {
		return // the entry is not to blame
	}
	if errno, gone := destinationGone(err); gone && side == onDest {
		if w.stopped.Swap(true) {
			return // the same trouble, met by several workers
		}
		w.stop(&FatalError{errno})
	}
	e := report.Event{Kind: report.Fail, Name: name, IsDir: name == "", Err: err}
	count := report.Failed
	if side == onSource && errors.Is(err, fs.ErrNotExist) {
		e.Kind, count = report.Vanish, report.Vanished
	}
	w.count.Add(count, 1)
	w.Sink.Event(w.event(d, side, e))
}

// destinationGone reports whether err means that no other entry can be written
// either, and which error number says so.
func destinationGone(err error) (errno syscall.Errno, gone bool) {
	gone = errors.As(err, &errno) && (errno == syscall.ENOSPC || errno == syscall.EDQUOT || errno == syscall.EROFS)
	return errno, gone
}

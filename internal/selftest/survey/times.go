package survey

import (
	"sync"
	"time"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Granularity is the smallest difference of two modification times of a destination.
type Granularity time.Duration

// keeps reports whether t is not rounded.
func (g Granularity) keeps(t time.Time) bool { return g <= 1 || t.Truncate(time.Duration(g)).Equal(t) }

// times tries modification times.
type times struct {
	dir         vfs.Dir
	granularity Granularity

	mu            sync.Mutex // guards what follows, and is held by the trial that is made
	none          bool       // not even a recent time is kept
	oldest, last  time.Time  // the oldest and latest times that were kept
	before, after time.Time  // the nearest times that were not kept, or zero
}

// timedName is the name of the file whose times are set.
const timedName = "times"

func newTimes(dir vfs.Dir) (*times, error) {
	g, _, ok := volume.MeasureGranularity(dir, timedName)
	if !ok {
		if err := makeFile(dir, timedName); err != nil && isFatal(err) {
			return nil, err
		}
	}
	usual := time.Unix(1_000_000_000, 0)
	ts := &times{dir: dir, granularity: Granularity(g), oldest: usual, last: usual}
	kept, err := ts.try(usual)
	ts.none = !kept
	return ts, err
}

// keeps reports whether a time is in the range of the destination. A range has no gaps, so most times follow from
// earlier trials.
func (ts *times) keeps(t time.Time) (bool, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	switch {
	case ts.none:
		return false, nil
	case !t.Before(ts.oldest) && !t.After(ts.last):
		return true, nil
	case !ts.before.IsZero() && !t.After(ts.before), !ts.after.IsZero() && !t.Before(ts.after):
		return false, nil
	}
	kept, err := ts.try(t)
	if err != nil {
		return false, err
	}
	ts.learn(t, kept)
	return kept, nil
}

// try sets a time and reads it back. Opening the file makes the client ask the server.
func (ts *times) try(t time.Time) (kept bool, err error) {
	if err := vfs.Chtimes(vfs.In(ts.dir, timedName), time.Time{}, t); err != nil {
		_, fatal := refused(err)
		return false, fatal
	}
	f, err := ts.dir.OpenFile(timedName, vfs.ReadOnly, 0)
	if err != nil {
		return false, err
	}
	defer vfs.CloseUnwritten(f)
	attr, err := vfs.Stat(f)
	return err == nil && metadata.Tolerance{Granularity: max(time.Duration(ts.granularity), 1)}.Same(t, attr.Mtime), err
}

func (ts *times) learn(t time.Time, kept bool) {
	old := t.Before(ts.oldest)
	switch {
	case kept && old:
		ts.oldest = t
	case kept:
		ts.last = t
	case old:
		ts.before = t
	default:
		ts.after = t
	}
}

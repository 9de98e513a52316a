package retry

import (
	"hash/maphash"
	"slices"

	"psync/internal/vfs"
)

// ReadDir implements [vfs.Dir]. A listing that is interrupted by an outage starts over and skips what yield has already
// received.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	l := listing{d: d, yield: yield, seed: maphash.MakeSeed()}
	err := d.do(unnamed, l.read)
	if stopped, ok := err.(stopError); ok {
		return stopped.error
	}
	return err
}

// A listing lists a directory in one or several attempts.
type listing struct {
	d     *dir
	yield func([]vfs.Entry) error
	seed  maphash.Seed
	had   []uint64        // the hashes of the names that yield has received
	skip  map[uint64]bool // those of earlier attempts
}

// A stopError is an error of yield, which has nothing to do with the volume.
type stopError struct{ error }

// read makes one attempt. While yield runs, no call counts as pending.
func (l *listing) read(in vfs.Dir) error {
	if len(l.had) > 0 {
		l.skip = make(map[uint64]bool, len(l.had))
		for _, h := range l.had {
			l.skip[h] = true
		}
	}
	calls := &l.d.volume.calls
	c := calls.begin(l.d, ".")
	defer func() { calls.end(c) }()
	return in.ReadDir(func(entries []vfs.Entry) error {
		calls.end(c)
		err := l.pass(entries)
		c = calls.begin(l.d, ".")
		return err
	})
}

// pass passes to yield the entries that it has not received yet.
func (l *listing) pass(entries []vfs.Entry) error {
	entries = slices.DeleteFunc(entries, func(e vfs.Entry) bool {
		h := maphash.String(l.seed, e.Name)
		if l.skip[h] {
			return true
		}
		l.had = append(l.had, h)
		return false
	})
	if len(entries) == 0 {
		return nil
	}
	if err := l.yield(entries); err != nil {
		return stopError{err}
	}
	return nil
}

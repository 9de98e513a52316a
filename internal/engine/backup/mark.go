package backup

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// rewriteMark is the modification time of a backup while its original is
// being written in place. If the run is killed then, the file is a mixture of old and new,
// and the backup is the only good copy: by this time the next run knows that the
// file must not take the place of the backup. Nearly every file system can hold
// it: it is after 1980, where FAT begins, and has an even number of seconds. The real
// time is kept as the access time meanwhile.
//
// A file that could not be written to its end gets the same time, so that no
// backup is made of what is known to be a mixture.
var rewriteMark = time.Unix(1<<29, 0) // in January 1987

// isMarked reports whether a is a backup of a file that was being written in place, or
// such a file.
func isMarked(a vfs.Attr) bool { return a.Mode.IsRegular() && a.Mtime.Equal(rewriteMark) }

// Finish removes the marks. It is called when the entry that b is a backup of has been replaced, or is
// complete again.
func (b *Backup) Finish() error {
	if b.store == nil {
		return nil
	}
	var err error
	if b.marked {
		err = b.setTimes(b.name, b.times[0], b.times[1])
	}
	if b.older != "" {
		there, oerr := b.dir.Lstat(b.older)
		if oerr == nil && isMarked(there) {
			oerr = b.setTimes(b.older, time.Time{}, there.Atime)
		}
		err = vfs.JoinErrors(err, oerr)
	}
	return wrap(context.Background(), err)
}

func (b *Backup) setTimes(name string, atime, mtime time.Time) error {
	dir := b.dir // otherwise every Backup would be on the heap
	return b.store.Lifter.Force(func() error { return dir.Chtimes(name, atime, mtime) }, dir, name)
}

// keepOlder is called where the name of b is that of an older backup, which must stay: its
// file may be a mixture. A mixture needs no backup, and what may be one gets a name that is free.
func (b *Backup) keepOlder(in Dirs, name string) error {
	b.older, b.name = b.name, ""
	there, err := in.Dest.Lstat(name)
	if err != nil || isMarked(there) {
		return err
	}
	b.name, err = b.store.freeName(in, name)
	return err
}

// MarkFailed marks a file that was not written to its end.
func (s *Store) MarkFailed(in vfs.Dir, name string) {
	if s.On {
		_ = in.Chtimes(name, time.Time{}, rewriteMark)
	}
}

// keepsMarks reports whether an existing older backup without a mark would have it
// if it had been set: its volume may have lost it. That is determined once.
func (s *Store) keepsMarks(in vfs.Dir, name string, there vfs.Attr) (bool, error) {
	if there.Nlink > 1 { // its time is that of other names, too
		return true, nil
	}
	switch s.marks.Load() {
	case marksKept:
		return true, nil
	case marksLost:
		return false, nil
	}
	trial := rewriteMark.Add(2 * time.Second) // no mark, for the run may be killed right now
	err := in.Chtimes(name, time.Time{}, trial)
	if errors.Is(err, fs.ErrPermission) {
		return true, nil // it belongs to another user
	}
	if err != nil {
		return false, err
	}
	now, err := in.Lstat(name)
	if err != nil {
		return false, err
	}
	if now.Mtime.Equal(trial) {
		s.marks.Store(marksKept)
		return true, nil
	}
	s.marks.Store(marksLost)
	return false, in.Chtimes(name, time.Time{}, there.Mtime)
}

// What is known of the volume of backups.
const (
	marksUnknown int32 = iota
	marksKept
	marksLost
)

package backup

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// rewriteMark returns the modification time of a backup while its original is being written in place. If the run is killed
// in that time, the file is a mixture of old and new, and the backup is the only good copy: the mark shows the next
// run that the file must not replace the backup. Nearly every file system can hold this time: it is after 1980, where
// FAT begins, and has an even number of seconds. Meanwhile the real time is kept as the access time.
//
// A file that was not written to its end gets the same time, so that no backup is made of a known mixture.
func rewriteMark() time.Time { return time.Unix(1<<29, 0) } // in January 1987

// isMarked reports whether a belongs to a backup of a file that was being written in place, or to such a file.
func isMarked(a vfs.Attr) bool { return a.Mode.IsRegular() && a.Mtime.Equal(rewriteMark()) }

// Finish removes the marks, and reports the backup. It is called when the entry that b is a backup of has been replaced or is complete again.
func (b *Backup) Finish() error {
	if b.older == "" {
		return b.FinishUnwritten()
	}
	there, err := vfs.Lstat(b.dir, b.older)
	if err == nil && isMarked(there) {
		err = b.setTimes(b.older, time.Time{}, there.Atime)
	}
	return vfs.JoinErrors(b.FinishUnwritten(), wrap(context.Background(), err))
}

// FinishUnwritten is Finish for a file that was not written after all. An older backup keeps its mark, because the file may still be
// the mixture that an earlier attempt has left.
func (b *Backup) FinishUnwritten() error {
	if b.store == nil {
		return nil
	}
	var err error
	if b.marked {
		err = b.setTimes(b.name, b.times[0], b.times[1])
	}
	if b.made != nil && b.name != "" {
		b.made(b.of, b.name)
	}
	return wrap(context.Background(), err)
}

func (b *Backup) setTimes(name string, atime, mtime time.Time) error {
	dir := b.dir // otherwise every Backup would be on the heap
	return b.store.Lifter.Force(func() error { return vfs.Chtimes(vfs.In(dir, name), atime, mtime) }, dir, name)
}

// keepOlder is called when the name of b belongs to an older backup that must stay, because its file may be a
// mixture. A mixture needs no backup; any other file gets a free backup name.
func (b *Backup) keepOlder(in Dirs, name string) error {
	b.older, b.name = b.name, ""
	there, err := vfs.Lstat(in.Dest, name)
	if err != nil || isMarked(there) {
		return err
	}
	b.name, err = b.store.freeName(in, name)
	return err
}

// MarkFailed marks a file that was not written to its end.
func (s *Store) MarkFailed(in vfs.Dir, name string) {
	if s.On {
		_ = vfs.Chtimes(vfs.In(in, name), time.Time{}, rewriteMark())
	}
}

// keepsMarks reports whether an existing older backup without a mark would have it if it had been set: its volume may
// have lost it. keepsMarks determines this once per volume.
func (s *Store) keepsMarks(in vfs.Dir, name string, there vfs.Attr) (bool, error) {
	if there.Nlink > 1 { // its time is also that of other names
		return true, nil
	}
	switch s.marks.Load() {
	case marksKept:
		return true, nil
	case marksLost:
		return false, nil
	}
	trial := rewriteMark().Add(2 * time.Second) // not the mark itself, since the run may be killed at this point
	err := vfs.Chtimes(vfs.In(in, name), time.Time{}, trial)
	if errors.Is(err, fs.ErrPermission) {
		return true, nil // it belongs to another user
	}
	if err != nil {
		return false, err
	}
	now, err := vfs.Lstat(in, name)
	if err != nil {
		return false, err
	}
	if now.Mtime.Equal(trial) {
		s.marks.Store(marksKept)
		return true, nil
	}
	s.marks.Store(marksLost)
	return false, vfs.Chtimes(vfs.In(in, name), time.Time{}, there.Mtime)
}

// What is known about the volume of backups.
const (
	marksUnknown int32 = iota
	marksKept
	marksLost
)

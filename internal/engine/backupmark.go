package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// rewriteMark is the modification time of a backup for as long as the file that it is one of is
// being written in place. If such a run is killed, the file is a mixture of old and new,
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

// A backup is where the backup of an entry goes.
type backup struct {
	dir    vfs.Dir
	name   string       // "": none is needed
	times  [2]time.Time // what a marked one gets in place of the mark: access, modification
	marked bool
	spared string // an older backup that has the mark, or ""
}

// backedUp is called when the entry that b is a backup of is replaced or whole: it takes
// the marks away.
func (w *worker) backedUp(b *backup) error {
	setTimes := func(name string, atime, mtime time.Time) error {
		return w.lifter.Force(func() error { return b.dir.Chtimes(name, atime, mtime) }, b.dir, name)
	}
	var err error
	if b.marked {
		err = setTimes(b.name, b.times[0], b.times[1])
	}
	if b.spared == "" {
		return err
	}
	there, serr := b.dir.Lstat(b.spared)
	if serr == nil && isMarked(there) {
		serr = setTimes(b.spared, time.Time{}, there.Atime)
	}
	return both(err, serr)
}

// spare is called where the name of b is that of an older backup, which must stay: its
// file may be a mixture. A mixture needs no backup, and what may be one gets a name that is free.
func (w *worker) spare(d *directory, name string, b *backup) error {
	b.spared, b.name = b.name, ""
	there, err := d.dst.Lstat(name)
	if err != nil || isMarked(there) {
		return err
	}
	b.name, err = w.freeName(d, name, b.dir)
	return err
}

// freeName returns the first of the names NAME.N, with the suffix of backups, that nothing has in the
// directory in, nor in the source where that is copied to it.
func (w *worker) freeName(d *directory, name string, in vfs.Dir) (string, error) {
	dirs := []vfs.Dir{in}
	if w.Backup.inPlace() && d.src != nil {
		dirs = append(dirs, d.src)
	}
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s.%d%s", name, n, w.Backup.Suffix)
		taken := false
		for _, dir := range dirs {
			_, err := dir.Lstat(free)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
			taken = taken || err == nil
		}
		if !taken {
			return free, nil
		}
	}
}

// markFailed marks a file that was not written to its end.
func (w *worker) markFailed(in vfs.Dir, name string) {
	if w.Backup.On {
		_ = in.Chtimes(name, time.Time{}, rewriteMark)
	}
}

// holdsMarks reports whether an older backup, which is there and has no mark, would have it
// if it had been set: its volume may have lost it. That is found out once.
func (w *worker) holdsMarks(in vfs.Dir, name string, there vfs.Attr) (bool, error) {
	if there.Nlink > 1 { // its time is that of other names, too
		return true, nil
	}
	switch w.marks.Load() {
	case marksHeld:
		return true, nil
	case marksLost:
		return false, nil
	}
	trial := rewriteMark.Add(2 * time.Second) // no mark, for the run may be killed right now
	err := in.Chtimes(name, time.Time{}, trial)
	if errors.Is(err, fs.ErrPermission) {
		return true, nil // it is somebody else's
	}
	if err != nil {
		return false, err
	}
	now, err := in.Lstat(name)
	if err != nil {
		return false, err
	}
	if now.Mtime.Equal(trial) {
		w.marks.Store(marksHeld)
		return true, nil
	}
	w.marks.Store(marksLost)
	return false, in.Chtimes(name, time.Time{}, there.Mtime)
}

// What is known of the volume of backups.
const (
	marksUnknown int32 = iota
	marksHeld
	marksLost
)

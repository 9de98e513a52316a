package retry

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// lateDirs are directories that are made late, by name, until they are opened: when the connection is lost, it is not known
// which of them were made.
type lateDirs map[string]lateDir

type lateDir struct {
	spec vfs.Spec
	err  error // why it could not be made again
}

// makesLate records that a directory will be made.
func (d *dir) makesLate(name string, s vfs.Spec) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.late == nil {
		d.late = make(lateDirs)
	}
	s.Late = false
	d.late[name] = lateDir{spec: s}
}

// opened records that a directory has been opened. It returns the error of making it again.
func (d *dir) opened(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.late[name].err
	delete(d.late, name)
	return err
}

// makeAgain makes the directories again in the directory that they belong to, as opened again. The error says that the
// connection is lost.
func (l lateDirs) makeAgain(in vfs.Dir) error {
	for name, dir := range l {
		err := in.Make(name, dir.spec)
		if errors.Is(err, fs.ErrExist) {
			err = unlessMade(in, name, dir.spec, err)
		}
		if isLost(err) {
			return err
		}
		dir.err = err
		l[name] = dir
	}
	return nil
}

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// errPartialStays says what became of a file that could not be completed and could not
// be told from one that another run may have put in its place.
var errPartialStays = errors.New("what has its name may be incomplete, and is marked as not current")

// A target is the name that a file is made under.
type target struct {
	named
	temporary bool // no other process uses the name
}

// removePartial removes the file that this run made under t and could not complete. id
// identifies it. If another run has replaced the file since, what has the name now stays.
//
// No system call removes a name only if it leads to a given file. So the file is first
// renamed to a name that no other process uses, and looked at once more there: only a
// process that is killed between the two calls, just after another run has replaced
// the file, leaves that run's copy under a temporary name.
func (w *worker) removePartial(d *directory, t target, id vfs.ID) error {
	if t.temporary {
		return w.removeTemporary(d, t.dir, t.name)
	}
	if id == (vfs.ID{}) {
		return markPartial(t.named)
	}
	if is, err := leadsTo(t.dir, t.name, id); err != nil || !is {
		return err
	}
	temp := w.Temporaries.name(w.temps.Add(1))
	if t.dir.Rename(t.name, temp) != nil {
		return removeIfThere(t.dir, t.name)
	}
	if is, err := leadsTo(t.dir, temp, id); err != nil || is {
		return both(err, w.removeTemporary(d, t.dir, temp))
	}
	if err := publish(t.dir, temp, t.dir, t.name); errors.Is(err, fs.ErrExist) {
		return w.removeTemporary(d, t.dir, temp) // it was replaced in turn
	} else if err != nil {
		return fmt.Errorf("the copy of another run, renamed to %s: %w", temp, err)
	}
	return nil
}

// leadsTo reports whether name is one of the entry that id identifies.
func leadsTo(dir vfs.Dir, name string, id vfs.ID) (bool, error) {
	attr, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return attr.ID() == id, err
}

// removeIfThere removes an entry. That it is gone already is no error.
func removeIfThere(dir vfs.Dir, name string) error {
	if err := dir.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// markPartial gives an entry a time by which no later run takes it for current.
func markPartial(at named) error {
	err := at.dir.Chtimes(at.name, time.Time{}, time.Unix(0, 0))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return both(errPartialStays, err)
}

// identify returns the identity of an open file, without a round trip where the system can tell
// it so, or the zero ID if it cannot be found out.
func identify(f vfs.File) vfs.ID {
	if i, ok := f.(vfs.FileIdentifier); ok {
		if id, err := i.ID(); err == nil {
			return id
		}
	}
	attr, err := f.Stat()
	if err != nil {
		return vfs.ID{}
	}
	return attr.ID()
}

// stillOurs reports whether t leads to the file that id identifies, as far as that can be told
// without a round trip.
func (t target) stillOurs(id vfs.ID) bool {
	i, ok := t.dir.(vfs.Identifier)
	if !ok || t.temporary || id == (vfs.ID{}) {
		return true
	}
	now, err := i.IDOf(t.name)
	return err != nil || now == id
}

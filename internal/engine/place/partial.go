package place

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// errPartialStays is reported with a file that could not be completed and was not removed, because it may be another
// file that another run has put in its place.
var errPartialStays = errors.New("what has its name may be incomplete, and is marked as not current")

// A target is the directory and the name that a file is made under.
type target struct {
	metadata.Entry
	temporary bool // no other process uses the name
}

// RemovePlain removes the file with the identity id that [vfs.Dir].CopyPlain made under name in d and could not
// complete, as removePartial does.
func RemovePlain(j *job.Worker, d *job.Dir, name string, id vfs.ID) error {
	return removePartial(j, d, target{Entry: metadata.Entry{Dir: d.Dst, Name: name}}, id)
}

// removePartial removes the file with the identity id that this run made under t and could not
// complete. If another run has replaced the file since, its file stays.
//
// No system call removes a name only if it refers to a given file. So removePartial first renames the file to a name
// that no other process uses, and checks what it has renamed. If that is the file of another run, it is renamed back.
// That file keeps a temporary name only if this process is killed between the two calls.
func removePartial(j *job.Worker, d *job.Dir, t target, id vfs.ID) error {
	if t.temporary {
		return removeTemp(j, d, t.Dir, t.Name)
	}
	if id == (vfs.ID{}) {
		return markPartial(t.Entry)
	}
	if is, err := hasID(t.Dir, t.Name, id); err != nil || !is {
		return err
	}
	temp := j.Run.NewTemp()
	if t.Dir.Rename(t.Name, nil, temp, nil) != nil {
		return vfs.IgnoreNotExist(t.Dir.Remove(t.Name, nil))
	}
	is, err := hasID(t.Dir, temp, id)
	if is {
		return removeTemp(j, d, t.Dir, temp)
	}
	if err != nil { // it may be either file
		err = vfs.JoinErrors(err, markPartial(metadata.Entry{Dir: t.Dir, Name: temp}))
	}
	switch back := publish(t.Dir, temp, t.Dir, t.Name); {
	case errors.Is(back, fs.ErrExist): // it was replaced in turn
		return vfs.JoinErrors(err, removeTemp(j, d, t.Dir, temp))
	case back != nil && !errors.Is(back, fs.ErrNotExist):
		return vfs.JoinErrors(err, fmt.Errorf("the copy of another run, renamed to %s: %w", temp, back))
	}
	return err
}

// hasID reports whether name refers to the entry with the identity id.
func hasID(dir vfs.Dir, name string, id vfs.ID) (bool, error) {
	attr, err := vfs.Lstat(dir, name)
	return err == nil && attr.ID() == id, vfs.IgnoreNotExist(err)
}

// markPartial sets the modification time of an entry so that no later run considers it current.
func markPartial(at metadata.Entry) error {
	err := vfs.Chtimes(vfs.In(at.Dir, at.Name), time.Time{}, time.Unix(0, 0))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return vfs.JoinErrors(errPartialStays, err)
}

// stillOurs reports whether t still refers to the file with the identity id. It returns true if that cannot be
// determined without a round trip.
func (t target) stillOurs(id vfs.ID) bool {
	if t.temporary || id == (vfs.ID{}) {
		return true
	}
	now, err := t.Dir.Statx(t.Name, vfs.StatxID)
	return err != nil || now.ID() == id
}

// publish renames an entry to a name that must not exist yet, as far as the file system can guarantee that.
func publish(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	err := to.Link(from, oldname, newname)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		// Only other runs could make the name now: within this run, two workers use the same name only if the
		// destination folds names, and rarely at the same time.
		if _, err := to.Statx(newname, vfs.StatxFresh); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fs.ErrExist)
		}
		return vfs.Rename(from, oldname, to, newname, nil)
	case err != nil:
		return err
	}
	return from.Remove(oldname, nil)
}

// removeTemp removes a temporary of this run.
func removeTemp(j *job.Worker, d *job.Dir, in vfs.Dir, name string) error {
	return noteTemporaryLeft(d, in, j.Run.Lifter.Remove(in, name, nil))
}

// noteTemporaryLeft records that removing a temporary failed with err, unless it did not exist. If that is in d
// itself, the next run looks for the temporary there.
func noteTemporaryLeft(d *job.Dir, in vfs.Dir, err error) error {
	err = vfs.IgnoreNotExist(err)
	if err != nil && in == d.Dst {
		d.LeavesTemporary.Store(true)
	}
	return err
}

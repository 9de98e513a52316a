package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"psync/internal/queue"
	"psync/internal/tempname"
	"psync/internal/vfs"
)

// A mark is a file in the destination that the first host of a job makes, with what it has found. A host that does not see
// it has another tree under the path. A mark also lets hosts recognize roots that have changed since the job began.
type mark struct {
	Token string
	Roots []identity // of sources, and of --link-dest and its like
	ino   uint64     // of the file, so that a copy of it is not taken for it
}

// maxMark is enough for the samples of more than a hundred roots.
const maxMark = 1 << 20

// ErrIncomplete says that another host is making the mark of a job, on a volume without hard links. The caller tries again.
var ErrIncomplete = errors.New("another host is marking the destination")

// place reads the mark of a job, or makes it if there is none. temp is the name of a temporary file, or "" for a mark that is
// zero if there is none.
func place(dst vfs.Dir, job, temp string, roots []Tree) (mark, error) {
	name := tempname.OfJob(job)
	m, err := read(dst, name)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return m, err
	case temp == "":
		return m, nil
	}
	m = mark{Token: fmt.Sprintf("%x", queue.NewID())}
	for _, t := range roots {
		var id identity
		if t.Dir != nil {
			var err error
			if id, err = identify(t.Dir); err != nil {
				return m, err
			}
			if id.Entries, err = samples(t.Dir); err != nil {
				return m, err
			}
		}
		m.Roots = append(m.Roots, id)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return m, err
	}
	if len(text) > maxMark {
		return m, fmt.Errorf("%d sources: %w", len(roots), queue.ErrTooLarge)
	}
	if err := create(dst, name, temp, text); err != nil && !errors.Is(err, fs.ErrExist) {
		return m, err
	}
	return read(dst, name) // perhaps that of a host that was faster
}

// create makes a file unless it exists. Where there are hard links, no one can read only the beginning of it.
func create(dst vfs.Dir, name, temp string, text []byte) error {
	if err := write(dst, temp, text); err != nil {
		return err
	}
	err := dst.Link(dst, temp, name)
	removal := dst.Remove(temp, nil)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return vfs.JoinErrors(err, removal)
	}
	return write(dst, name, text)
}

// write makes a file, readable for everyone: the user may be another one to the server.
func write(dst vfs.Dir, name string, text []byte) error {
	f, err := dst.OpenFile(name, vfs.Create, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return vfs.JoinErrors(err, f.Close())
}

func read(dst vfs.Dir, name string) (m mark, err error) {
	f, err := dst.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return m, err
	}
	defer func() { _ = f.Close() }()
	attr, err := vfs.Stat(f)
	switch {
	case err != nil:
		return m, err
	case !attr.Mode.IsRegular():
		return m, fmt.Errorf("%s: it is not a file", name)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, maxMark))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Token == "" {
		return m, fmt.Errorf("%s: %w", name, ErrIncomplete)
	}
	m.ino = attr.Ino
	return m, nil
}

// UnmarkOther removes the mark from a destination that is not the one of the job, by the error of joining it.
func UnmarkOther(dst Tree, job string, err error) error {
	differs, is := errors.AsType[*queue.DifferenceError](err)
	if !is || differs.Name != treeFact(dst) {
		return nil
	}
	return Unmark(dst.Dir, job)
}

// treeFact returns the name of the fact that says which tree the destination is.
func treeFact(dst Tree) string { return "the tree at " + dst.Label }

// Unmark removes the mark of a job at its end, and restores the modification time of the destination, which may have its last
// attributes by then.
func Unmark(dst vfs.Dir, job string) error {
	before, err := vfs.Lstat(dst, ".")
	if err != nil {
		return err
	}
	if err := dst.Remove(tempname.OfJob(job), nil); err != nil {
		return vfs.IgnoreNotExist(err)
	}
	return vfs.Chtimes(vfs.In(dst, "."), before.Atime, before.Mtime)
}

package retry

import (
	"errors"
	"sync"
	"syscall"

	"psync/internal/vfs"
)

// A readFile is a file that is open for reading.
type readFile struct {
	target[vfs.File]

	mu   sync.Mutex // guards what follows
	seen version    // zero: Stat has not been called
	read bool       // some of the contents were read
}

// A version identifies a file and its contents as Stat reported them.
type version struct {
	id           vfs.ID
	size         int64
	mtime, ctime vfs.Stamp
}

func versionOf(a vfs.Attr) version {
	return version{a.ID(), a.Size, vfs.StampOf(a.Mtime), a.Ctime}
}

// openToRead opens a file.
func (d *dir) openToRead(name string, open func(in vfs.Dir, name string) (vfs.File, error)) (vfs.File, error) {
	r := &readFile{target: target[vfs.File]{dir: d, name: name, open: open}}
	r.same = r.unchanged
	if err := r.do(func(vfs.File) error { return nil }); err != nil {
		return nil, err
	}
	return &file{handle[vfs.File]{r.do}, r}, nil
}

// unchanged returns an error unless a reopened file is still the one that the caller may have begun to read.
func (r *readFile) unchanged(reopened vfs.File) error {
	r.mu.Lock()
	seen, read := r.seen, r.read
	r.mu.Unlock()
	if seen == (version{}) && !read {
		return nil
	}
	attr, err := vfs.Stat(reopened)
	if err == nil && versionOf(attr) != seen {
		err = &vfs.OutageError{Err: syscall.ESTALE, Lost: r.dir.volume.conn != nil}
	}
	return err
}

func (r *readFile) saw(a vfs.Attr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = versionOf(a)
}

func (r *readFile) wasRead() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = true
}

// commit is not offered: the file was not made.
func (r *readFile) commit([]vfs.Change, bool) ([]error, error) { return nil, errors.ErrUnsupported }

func (r *readFile) identity() (vfs.Attr, error) { return r.current().Statx(vfs.StatxID) }

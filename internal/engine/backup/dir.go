package backup

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"

	"psync/internal/lazymap"
	"psync/internal/vfs"
)

var errNotEmpty = errors.New("is not empty")

// OpenDir opens the directory for backups of the entries of dst, the directory of the destination at path, and makes
// missing elements of its path. A new directory is at first accessible only to its owner, and has the owner, mode and
// ACL of its original before anything is put into it. It gets its times when Apply is called. o is the original of
// the directory at path, or nil if unknown.
//
// The caller closes the result unless path is that of the root, whose directory for backups belongs to s.
func (s *Store) OpenDir(dst vfs.Dir, path string, o *Original) (vfs.Dir, error) {
	dir, err := s.openDir(destDir{dst, path}, o)
	return dir, wrap(context.Background(), err)
}

// A LazyDir is the directory for backups of the entries of one directory of the destination. It is opened when it is
// needed. The zero value is ready to use, and several workers may use it at once.
type LazyDir struct {
	mu    sync.Mutex // guards the fields below
	dir   vfs.Dir
	owned bool // dir is not the root's directory, which belongs to the store
}

// Open returns what [Store.OpenDir] returns for the directory dst at a path, unless the directory is already open.
func (l *LazyDir) Open(s *Store, dst vfs.Dir, path func() string, o *Original) (vfs.Dir, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir != nil {
		return l.dir, nil
	}
	at := path()
	dir, err := s.OpenDir(dst, at, o)
	if err == nil {
		l.dir, l.owned = dir, at != ""
	}
	return dir, err
}

// Close closes the directory if Open has opened it.
func (l *LazyDir) Close() {
	if l.dir != nil && l.owned {
		l.dir.Close()
	}
}

// A destDir is an open directory of the destination.
type destDir struct {
	vfs.Dir
	path string
}

func (s *Store) openDir(dst destDir, o *Original) (vfs.Dir, error) {
	n := 0
	if dst.path != "" {
		n = strings.Count(dst.path, "/") + 1
	}
	originals := o.path(n + 1)
	root, err := s.openRoot(originals[0])
	if err != nil || dst.path == "" {
		return root, err
	}
	at, i := "", 0
	return vfs.Descend(root, dst.path, func(in vfs.Dir, name string) (vfs.Dir, error) {
		at, i = path.Join(at, name), i+1
		sub, err := in.OpenDir(name, vfs.NoFollow)
		if err == nil && !s.isUnfinished(sub) {
			s.awaitDir(at)
			return sub, nil
		}
		if err == nil {
			sub.Close()
		}
		return s.completeDir(dst, in, at, name, originals[i])
	})
}

// completeDir opens the directory for backups called name in another one. It makes the directory if it is missing,
// and sets its attributes to those of its original unless that was done. The path of the original is at; dst is the
// original or a directory below it.
func (s *Store) completeDir(dst destDir, in vfs.Dir, at, name string, o *Original) (vfs.Dir, error) {
	defer s.lockDir(at)()
	made, err := s.mkdir(in, name)
	if err != nil {
		return nil, err
	}
	sub, err := in.OpenDir(name, vfs.NoFollow)
	if err != nil || !made && !s.isUnfinished(sub) {
		return sub, err
	}
	from := dst.Dir
	if at != dst.path {
		if from, err = s.OpenDest(at); err != nil {
			return sub, nil // it keeps the mode that it was made with
		}
		defer from.Close()
	}
	if err = s.setDirAttrs(sub, at, from, o); err != nil {
		return nil, vfs.JoinErrors(err, sub.Close())
	}
	return sub, nil
}

// lockDir waits until no other worker is making the directory for backups at a path, and prevents others from making
// or using it until unlock is called.
func (s *Store) lockDir(path string) (unlock func()) {
	for {
		s.mu.Lock()
		other := s.making[path]
		if other == nil {
			break
		}
		s.mu.Unlock()
		<-other
	}
	defer s.mu.Unlock()
	done := make(chan struct{})
	lazymap.Set(&s.making, path, done)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.making, path)
		close(done)
	}
}

// awaitDir waits until no worker is making the directory for backups at a path.
func (s *Store) awaitDir(path string) {
	s.mu.Lock()
	other := s.making[path]
	s.mu.Unlock()
	if other != nil {
		<-other
	}
}

// openRoot returns the directory for backups, which it makes if it is missing. o is the original of the destination's
// root.
func (s *Store) openRoot(o *Original) (vfs.Dir, error) {
	if s.Dir != nil {
		return s.Dir, nil
	}
	s.rootMu.Lock()
	defer s.rootMu.Unlock()
	if s.root != nil {
		return s.root, nil
	}
	dir, err := s.Make()
	if err != nil {
		return nil, err
	}
	if s.isUnfinished(dir) { // not if another process made it in the meantime
		if err := s.setDirAttrs(dir, "", s.Dest, o); err != nil {
			return nil, vfs.JoinErrors(err, dir.Close())
		}
	}
	s.root = dir
	return dir, nil
}

// MadeDir reports whether the run made the directory for backups.
func (s *Store) MadeDir() bool {
	s.rootMu.Lock()
	defer s.rootMu.Unlock()
	return s.root != nil
}

// mkdir makes a directory for backups if it is missing.
func (s *Store) mkdir(in vfs.Dir, name string) (made bool, err error) {
	there, err := vfs.Lstat(in, name)
	if err == nil && !there.Mode.IsDir() {
		if err = s.renameOlder(in, name); err == nil {
			err = fs.ErrNotExist
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = vfs.Mkdir(in, name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return false, nil // another worker made it first
	}
	return err == nil, err
}

// isUnfinished reports whether a directory may be one that a run made without setting its attributes: it is empty,
// and only its owner may enter it.
func (s *Store) isUnfinished(dir vfs.Dir) bool {
	attr, err := vfs.Lstat(dir, ".")
	if err != nil || attr.Mode.Perm() != 0o700 || int(attr.UID) != s.User.UID {
		return false
	}
	return dir.ReadDir(func([]vfs.Entry) error { return errNotEmpty }) == nil
}

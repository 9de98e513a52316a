package sftpfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
	"psync/internal/vfs/sftpfs/pipeline"
)

// A session is shared by a Host and everything that is opened through it.
type session struct {
	channels
	ext    extensions
	dev    uint64
	user   vfs.User
	cache  cache
	making makings
	unread atomic.Bool // the last file that was read ahead was closed unread, and no one was read since

	// What follows outlives the session if the connection is lost.
	ids      *identities
	replaced *replaced
}

// extensions are the extensions of the protocol that the server offers.
type extensions struct {
	posixRename, hardlink, statvfs, fsync bool
	// ordered says that the server carries out the requests of a channel one after the other, as OpenSSH does. Servers
	// based on package sftp read and write beside other requests. They lack fstatvfs@openssh.com.
	ordered bool
}

// ask calls f with one of the channels.
func ask[T any](s *session, f func(*sftp.Client) (T, error)) (T, error) {
	c := s.take()
	defer c.put()
	r, err := f(c.Client)
	return r, s.translate(err)
}

// do is ask for operations that only fail or succeed.
func (s *session) do(f func(*sftp.Client) error) error {
	_, err := ask(s, func(c *sftp.Client) (struct{}, error) { return struct{}{}, f(c) })
	return err
}

// lstat asks for the attributes of the entry at a path.
func (s *session) lstat(p string) (attrs, error) {
	info, err := ask(s, func(c *sftp.Client) (fs.FileInfo, error) { return c.Lstat(p) })
	if err != nil {
		return attrs{}, err
	}
	return attrsOf(info)
}

// look is lstat that remembers the answer.
func (s *session) look(p string) (known, error) {
	begun := s.cache.begin()
	a, err := s.lstat(p)
	k := known{attrs: a}
	if err == nil {
		s.cache.learn(p, begun, k)
	}
	return k, err
}

// readlink asks for the target of a symbolic link.
func (s *session) readlink(p string) (string, error) {
	target, err := ask(s, func(c *sftp.Client) (string, error) { return c.ReadLink(p) })
	if err == nil && !isTarget(target) {
		err = fmt.Errorf("the server returns the target %.100q: %w", target, syscall.EINVAL)
	}
	return target, err
}

// attr returns a as the attributes of the entry that ino identifies.
func (s *session) attr(a attrs, ino uint64) vfs.Attr {
	return vfs.Attr{
		Mode: a.fileMode(), Size: a.size, Blocks: -1, UID: a.uid, GID: a.gid,
		Atime: time.Unix(int64(a.atime), 0), Mtime: time.Unix(int64(a.mtime), 0),
		Dev: s.dev, Ino: ino, Nlink: 1,
	}
}

// mkdir makes a directory and gives it the permissions perm, narrowed by the umask of the server
// if masked is true. It keeps a set-group-ID bit that the directory inherits.
func (s *session) mkdir(p string, perm fs.FileMode, masked bool) error {
	a, err, lerr := s.mkdirAndLook(p)
	if err != nil {
		if lerr == nil && errors.Is(err, errFailure) {
			return syscall.EEXIST
		}
		return s.cause(err, path.Dir(p), 0)
	}
	s.ids.gone(p)
	if errors.Is(lerr, fs.ErrNotExist) { // a server may look first
		a, lerr = s.lstat(p)
	}
	if lerr != nil || !a.isDir() {
		return lerr
	}
	want := perm.Perm()
	if masked {
		want &= fs.FileMode(a.mode).Perm()
	}
	if fs.FileMode(a.mode).Perm() != want {
		special := a.fileMode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		if err := s.do(func(c *sftp.Client) error { return c.Chmod(p, want|special) }); err != nil {
			return err
		}
		a.mode = a.mode&^0o777 | uint32(want)
	}
	s.cache.made(p, known{attrs: a, made: true})
	return nil
}

// mkdirAndLook makes a directory and asks for its attributes, or those of what is there, in one round trip.
func (s *session) mkdirAndLook(p string) (a attrs, err, lookErr error) {
	c := s.take()
	defer c.put()
	answers := c.pipeline.Send(pipeline.Request{Type: pipeline.TypeMkdir, On: p, Rest: pipeline.AppendUint32s(nil, 0)}, pipeline.Request{Type: pipeline.TypeLstat, On: p})
	_, err = s.wait(answers[0], pipeline.TypeStatus)
	a, lookErr = s.waitAttrs(answers[1])
	return a, err, lookErr
}

// readOnly is the flag of statvfs for a file system that is mounted read-only.
const readOnly = 1

// cause returns a more specific error if err only says that the server failed to store n bytes, or a new entry, at a
// path. If the connection is lost before that is known, that is the error.
func (s *session) cause(err error, path string, n int) error {
	if !errors.Is(err, errFailure) || !s.ext.statvfs {
		return s.unlessLost(err)
	}
	v, verr := ask(s, func(c *sftp.Client) (*sftp.StatVFS, error) { return c.StatVFS(path) })
	switch {
	case verr != nil:
	case v.Flag&readOnly != 0:
		return syscall.EROFS
	case v.Blocks > 0 && v.Bavail*v.Frsize < uint64(max(n, 1)), v.Files > 0 && v.Favail == 0:
		return syscall.ENOSPC
	}
	return s.unlessLost(err)
}

// unlessLost returns err, or why the connection is lost if err only says that the server has failed.
func (s *session) unlessLost(err error) error {
	if lost := s.failure(); lost != nil && errors.Is(err, errFailure) {
		return lost
	}
	return err
}

// onOtherVolume reports whether two directories are known to be on different file systems.
func (s *session) onOtherVolume(a, b string) bool {
	if a == b || !s.ext.statvfs {
		return false
	}
	stat := func(path string) (*sftp.StatVFS, error) {
		return ask(s, func(c *sftp.Client) (*sftp.StatVFS, error) { return c.StatVFS(path) })
	}
	x, errX := stat(a)
	y, errY := stat(b)
	return errX == nil && errY == nil && x.Fsid != y.Fsid
}

// Package socket lets a client find a server of its user again: by a socket in the directory of temporary files, which
// only that user may reach.
package socket

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// dirPrefix begins the names of the directories that hold the sockets of servers, called fileName.
const (
	dirPrefix = "psync-"
	fileName  = "s"
)

var errNoServer = errors.New("is not the socket of a server of this user")

// A Listener is a socket of a server. It lies in a directory that only this user may enter, and anyone who comes must
// know the token.
type Listener struct {
	net.Listener
	Token []byte
	dir   string
}

// Listen makes a socket.
func Listen() (*Listener, error) {
	dir, err := os.MkdirTemp("", dirPrefix)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", filepath.Join(dir, fileName))
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	return &Listener{l, []byte(rand.Text()), dir}, nil
}

// Close removes the socket and its directory.
func (l *Listener) Close() error { return errors.Join(l.Listener.Close(), os.Remove(l.dir)) }

// endTime is how long a server may take to end.
const endTime = time.Minute

// End ends the server of the same user that m names, and waits until it has ended. If no one listens, it has.
func End(m *wire.Replace) error {
	dir := filepath.Join(os.TempDir(), m.Session)
	if _, err := ownDir(dir); err != nil || !isDir(m.Session) {
		return nil
	}
	c, err := net.Dial("unix", filepath.Join(dir, fileName))
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED):
		return nil
	case err != nil:
		return fmt.Errorf("the psync that was started here before cannot be ended: %w", err)
	}
	defer func() { _ = c.Close() }() // nothing more is said
	if err = c.SetDeadline(time.Now().Add(endTime)); err == nil {
		err = Answer(c, m)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, c)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the psync that was started here before is still at work after %v", endTime)
	}
	return nil
}

// ownDir returns the attributes of a directory if only this user may enter it.
func ownDir(dir string) (vfs.Attr, error) {
	attr, err := localfs.Host{}.Stat(dir, vfs.NoFollow)
	if err != nil {
		return vfs.Attr{}, err
	}
	if !attr.Mode.IsDir() || attr.Mode.Perm() != 0o700 || int(attr.UID) != os.Geteuid() {
		return vfs.Attr{}, errNoServer
	}
	return attr, nil
}

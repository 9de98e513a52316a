// Package socket lets a client find a server of its user again: by a socket in the directory of temporary files, which
// only that user may reach.
package socket

import (
	"crypto/rand"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// dirPrefix begins the names of the directories that hold the sockets of servers, called fileName.
const (
	dirPrefix = "psync-"
	fileName  = "s"
)

// ErrNone says that a server is gone.
var ErrNone = errors.New("the psync that had been started there has ended")

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

// Dial connects to the server of the same user whose socket is in the directory called session.
func Dial(session string) (net.Conn, error) {
	if !strings.HasPrefix(session, dirPrefix) {
		return nil, ErrNone
	}
	dir := filepath.Join(os.TempDir(), session)
	if _, err := ownDir(dir); err != nil {
		return nil, err
	}
	return net.Dial("unix", filepath.Join(dir, fileName))
}

// ownDir returns the attributes of a directory if only this user may enter it.
func ownDir(dir string) (vfs.Attr, error) {
	attr, err := localfs.Host{}.Stat(dir, vfs.NoFollow)
	if err != nil {
		return vfs.Attr{}, err
	}
	if !attr.Mode.IsDir() || attr.Mode.Perm() != 0o700 || int(attr.UID) != os.Geteuid() {
		return vfs.Attr{}, ErrNone
	}
	return attr, nil
}

package agent

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"psync/internal/wire"
)

const (
	maxChannels = 16               // besides the first one
	joinTime    = 10 * time.Second // for the first frame of a channel
	maxJoin     = 256              // bytes of that frame
)

// A listener is a socket at which further channels of the client arrive, as ssh forwards them. It lies in a directory
// that only this user may enter, and whoever comes must know the token.
type listener struct {
	net.Listener
	dir   string
	token []byte
}

func newListener() (*listener, error) {
	dir, err := os.MkdirTemp("", "psync-")
	if err != nil {
		return nil, err
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	return &listener{socket, dir, []byte(rand.Text())}, nil
}

// Close removes the socket and its directory.
func (l *listener) Close() error { return errors.Join(l.Listener.Close(), os.Remove(l.dir)) }

// admit hands channels that have the token to add, until Close is called. All are closed when ctx ends.
func (l *listener) admit(ctx context.Context, add func(io.ReadWriteCloser)) {
	for n := 0; n < maxChannels; {
		c, err := l.Accept()
		if err != nil {
			return
		}
		context.AfterFunc(ctx, func() { _ = c.Close() }) // what it carried is of no use any more
		if !l.isJoined(c) {
			_ = c.Close() // nothing was sent
			continue
		}
		add(c)
		n++
	}
}

// isJoined reads the first frame of a channel, and reports whether it has the token. Then it answers, so that the
// client knows before it relies on the channel.
func (l *listener) isJoined(c net.Conn) bool {
	prefix := make([]byte, wire.LengthSize)
	if c.SetReadDeadline(time.Now().Add(joinTime)) != nil {
		return false
	}
	if _, err := io.ReadFull(c, prefix); err != nil {
		return false
	}
	n, err := wire.Length(prefix)
	if err != nil || n > maxJoin {
		return false
	}
	frame := make([]byte, n)
	if _, err := io.ReadFull(c, frame); err != nil {
		return false
	}
	f, err := wire.Decode(frame)
	if err != nil {
		return false
	}
	join, ok := f.Message.(*wire.Join)
	if !ok || subtle.ConstantTimeCompare(join.Token, l.token) != 1 || c.SetReadDeadline(time.Time{}) != nil {
		return false
	}
	answer, err := wire.Append(nil, wire.Frame{ID: f.ID, Message: &wire.Done{}})
	if err != nil {
		return false
	}
	_, err = c.Write(answer)
	return err == nil
}

// listen has further channels admitted, unless that is not wanted or impossible, until the function that it returns
// is called.
func (s *server) listen(ctx context.Context) (stopListening func()) {
	if !s.Socket {
		return func() {}
	}
	l, err := newListener()
	if err != nil {
		return func() {}
	}
	s.listener = l
	var admitting sync.WaitGroup
	admitting.Go(func() {
		l.admit(ctx, func(c io.ReadWriteCloser) { s.link.Add(heardChannel{c, s.silence}) })
	})
	return func() {
		_ = l.Close() // what stays is an empty directory
		admitting.Wait()
	}
}

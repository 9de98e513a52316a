package agent

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"psync/internal/wire"
)

// socketDirs begins the names of the directories that hold the sockets of servers, called socketName.
const (
	socketDirs = "psync-"
	socketName = "s"
)

// errNoSession says that a server is gone.
var errNoSession = errors.New("the psync that had been started there has ended")

// relay connects a channel, on which the client asks for the server of a session, with that server, until either ends.
// A client that may do little here can so reach only servers of its own user, of which it must have the token.
func relay(ctx context.Context, channel io.ReadWriteCloser, session string) error {
	defer func() { _ = channel.Close() }() // what it carried has been passed on
	server, err := dialSession(session)
	if err != nil {
		return answer(channel, wire.ErrorOf(errNoSession))
	}
	stop := context.AfterFunc(ctx, func() {
		_ = server.Close()
		_ = channel.Close()
	})
	defer stop()
	var copying sync.WaitGroup
	pass := func(to io.WriteCloser, from io.Reader, other io.Closer) {
		_, _ = io.Copy(to, from) // whatever ends it, the connection is lost
		_ = to.Close()
		_ = other.Close()
	}
	copying.Go(func() { pass(server, channel, channel) })
	copying.Go(func() { pass(channel, server, server) })
	copying.Wait()
	return nil
}

// dialSession connects to the socket of a server of the same user.
func dialSession(session string) (net.Conn, error) {
	if !strings.HasPrefix(session, socketDirs) {
		return nil, errNoSession
	}
	dir := filepath.Join(os.TempDir(), session)
	if _, err := ownSocketDir(dir); err != nil {
		return nil, err
	}
	return net.Dial("unix", filepath.Join(dir, socketName))
}

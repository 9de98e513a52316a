package agent

import (
	"context"
	"io"
	"sync"

	"psync/internal/agent/socket"
	"psync/internal/wire"
)

// relay connects a channel, on which the client asks for the server of a session, with that server, until either ends.
// A client that may do little here can so reach only servers of its own user, of which it must have the token.
func relay(ctx context.Context, channel io.ReadWriteCloser, session string) error {
	defer func() { _ = channel.Close() }() // what it carried has been passed on
	server, err := socket.Dial(session)
	if err != nil {
		return socket.Answer(channel, wire.ErrorOf(socket.ErrNone))
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

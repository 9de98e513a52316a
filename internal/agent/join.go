package agent

import (
	"context"
	"errors"
	"os"
	"sync"

	"psync/internal/agent/socket"
	"psync/internal/wire"
)

const maxChannels = 16 // in addition to the first one

// admit deals with further channels that have the token, as ssh forwards them, until the listener is closed. Those of the client
// are closed when ctx ends, and those of servers that replace this one when over ends.
func (s *server) admit(ctx, over context.Context, l *socket.Listener) {
	replaced := sync.OnceFunc(func() { close(s.replaced) })
	for n := 0; ; {
		c, err := l.Accept()
		if err != nil {
			return
		}
		context.AfterFunc(over, func() { _ = c.Close() }) // which is all that it says
		switch socket.First(c, l.Token).(type) {
		case *wire.Join:
			if n++; n > maxChannels {
				err = errToken
			} else if err = socket.Answer(c, &wire.Done{}); err == nil {
				context.AfterFunc(ctx, func() { _ = c.Close() }) // what it carried is of no use any more
				s.link.Add(heardChannel{c, s.silence})
			}
		case *wire.Replace:
			replaced()
			s.link.Fail(errReplaced)
		default:
			err = errToken
		}
		if err != nil {
			_ = c.Close() // nothing was sent, or it is lost
		}
	}
}

var (
	errToken    = errors.New("the channel is not the client's")
	errReplaced = errors.New("the client has lost its connection, and started another psync")
)

// replace ends the server that the client had before, if the first of some frames says so, and returns the frames that
// follow. It does not if the frame is not one that it can read, which is found out later.
func replace(first []byte) (rest []byte, err error) {
	if len(first) < wire.LengthSize {
		return first, nil
	}
	n, err := wire.Length(first)
	if n += wire.LengthSize; err != nil || n > len(first) {
		return first, nil
	}
	f, err := wire.Decode(first[wire.LengthSize:n])
	if m, ok := f.Message.(*wire.Replace); ok && err == nil {
		return first[n:], socket.End(m)
	}
	return first, nil
}

// listen has further channels admitted, and this server replaced, unless that is not wanted or impossible, until the function
// that it returns is called.
func (s *server) listen(ctx context.Context) (stopListening func()) {
	if !s.Socket {
		return func() {}
	}
	l, err := socket.Listen()
	if err != nil {
		return func() {}
	}
	s.listener = l
	var working sync.WaitGroup
	over, end := context.WithCancel(context.Background())
	working.Go(func() { s.admit(ctx, over, l) })
	working.Go(func() { socket.RemoveAbandoned(os.TempDir(), s.now()) })
	return func() {
		_ = l.Close() // what stays is an empty directory
		end()
		working.Wait()
	}
}

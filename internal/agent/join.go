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

// admit deals with further channels of the client that have the token, as ssh forwards them, until the listener is
// closed. All are closed when ctx ends.
func (s *server) admit(ctx context.Context, l *socket.Listener) {
	for n := 0; ; {
		c, err := l.Accept()
		if err != nil {
			return
		}
		context.AfterFunc(ctx, func() { _ = c.Close() }) // what it carried is of no use any more
		switch m := socket.First(c, l.Token).(type) {
		case *wire.Join:
			if n++; n > maxChannels {
				err = errToken
			} else if err = socket.Answer(c, &wire.Done{}); err == nil {
				s.link.Add(m.Channel, heardChannel{c, s.silence})
			}
		case *wire.Resume:
			n = 0
			// Those that were lost may seem to be alive from here.
			received := s.link.Suspend()
			s.silence.lose()
			if err = socket.Answer(c, &wire.Resumed{Received: received}); err == nil {
				err = s.link.Resume(m.Channel, heardChannel{c, s.silence}, m.Received)
				s.silence.hear()
			}
		default:
			err = errToken
		}
		if err != nil {
			_ = c.Close() // nothing was sent, or it is lost
		}
	}
}

var errToken = errors.New("the channel is not the client's")

// listen has further channels admitted, and sessions resumed, unless that is not wanted or impossible, until the function that it returns
// is called.
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
	working.Go(func() { s.admit(ctx, l) })
	working.Go(func() { socket.RemoveAbandoned(os.TempDir(), s.now()) })
	return func() {
		_ = l.Close() // what stays is an empty directory
		working.Wait()
	}
}

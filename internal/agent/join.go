package agent

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"psync/internal/agent/socket"
	"psync/internal/wire"
)

const (
	maxChannels = 16               // in addition to the first one
	joinTime    = 10 * time.Second // for the first frame of a channel
	maxFirst    = 64 << 10         // bytes of that frame; Resume lists all channels that there were
)

// admit deals with further channels of the client that have the token, as ssh forwards them, until the listener is
// closed. All are closed when ctx ends.
func (s *server) admit(ctx context.Context, l *socket.Listener) {
	for n := 0; ; {
		c, err := l.Accept()
		if err != nil {
			return
		}
		context.AfterFunc(ctx, func() { _ = c.Close() }) // what it carried is of no use any more
		switch m := first(c, l.Token).(type) {
		case *wire.Join:
			if n++; n > maxChannels {
				err = errToken
			} else if err = answer(c, &wire.Done{}); err == nil {
				s.link.Add(m.Channel, heardChannel{c, s.silence})
			}
		case *wire.Resume:
			n = 0
			// Those that were lost may seem to be alive from here.
			received := s.link.Suspend()
			s.silence.lose()
			if err = answer(c, &wire.Resumed{Received: received}); err == nil {
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

// first returns the message of the first frame of a channel if that has the token.
func first(c net.Conn, want []byte) wire.Message {
	if c.SetReadDeadline(time.Now().Add(joinTime)) != nil {
		return nil
	}
	frame, err := readFrame(c, maxFirst)
	if err != nil || c.SetReadDeadline(time.Time{}) != nil {
		return nil
	}
	f, err := wire.Decode(frame[wire.LengthSize:])
	if err != nil {
		return nil
	}
	var token []byte
	switch m := f.Message.(type) {
	case *wire.Join:
		token = m.Token
	case *wire.Resume:
		token = m.Token
	}
	if subtle.ConstantTimeCompare(token, want) != 1 {
		return nil
	}
	return f.Message
}

// readFrame reads a frame of at most most bytes, and returns it with its length.
func readFrame(r io.Reader, most int) ([]byte, error) {
	frame := make([]byte, wire.LengthSize)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	n, err := wire.Length(frame)
	if err == nil && n > most {
		err = fmt.Errorf("a first frame of %d bytes", n)
	}
	if err != nil {
		return nil, err
	}
	frame = append(frame, make([]byte, n)...)
	_, err = io.ReadFull(r, frame[wire.LengthSize:])
	return frame, err
}

// answer answers the first frame of a channel, so that the client knows before it relies on it.
func answer(c io.Writer, m wire.Message) error {
	frame, err := wire.Append(nil, wire.Frame{Message: m})
	if err == nil {
		_, err = c.Write(frame)
	}
	return err
}

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

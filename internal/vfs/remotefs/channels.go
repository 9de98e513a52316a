package remotefs

import (
	"bytes"
	"errors"
	"io"

	"psync/internal/wire"
)

// furtherChannels is how many channels are opened at most, besides the first one.
const furtherChannels = 7

// An openFunc opens a channel to a socket at the host.
type openFunc func(socket string) (io.ReadWriteCloser, error)

// widen adds channels while many bytes are under way: a channel of SSH carries only so many in a round trip. When one
// cannot be opened, because the host forbids it or for any other reason, it does without. The first one shows whether
// the host allows it; the others are opened at the same time, since each takes two round trips.
func (s *session) widen(open openFunc) {
	if !s.window.waitBusy(busyFrom) {
		return
	}
	first, err := open(s.welcome.Socket)
	if err != nil {
		return
	}
	go func() { _ = s.join(first) }() // it does without
	if !s.window.waitBusy(veryBusy) {
		return
	}
	for range furtherChannels - 1 {
		go func() {
			if c, err := open(s.welcome.Socket); err == nil {
				_ = s.join(c) // as above
			}
		}()
	}
}

// join adds a channel to the socket of the server. An error leaves the session as it was.
func (s *session) join(c io.ReadWriteCloser) error {
	// What is set holds for all that follows on the same channel. When the server has admitted this one, any answer may
	// come over it, so there is no waiting then.
	s.setting.Wait()
	number := s.channels.Add(1)
	request, err := wire.Append(nil, wire.Frame{Message: &wire.Join{Token: s.welcome.Token, Channel: number}})
	want, wantErr := wire.Append(nil, wire.Frame{Message: &wire.Done{}})
	got := make([]byte, len(want))
	if err = errors.Join(err, wantErr); err == nil {
		_, err = c.Write(request)
	}
	if err == nil {
		_, err = io.ReadFull(c, got)
	}
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("the channel leads elsewhere")
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	s.link.Add(number, heardChannel{c, s})
	return nil
}

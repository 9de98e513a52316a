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
	// The server does Prepare and ClearUmask before all that follows on their channel: it has when Ping is answered.
	if !s.window.waitBusy() || s.do(&wire.Ping{}) != nil {
		return
	}
	if !s.window.waitBusy() || s.join(open) != nil || !s.window.waitBusy() {
		return
	}
	for range furtherChannels - 1 {
		go func() { _ = s.join(open) }() // it does without
	}
}

// join adds a channel. An error leaves the session as it was.
func (s *session) join(open openFunc) error {
	number := s.channels.Add(1)
	request, err := wire.Append(nil, wire.Frame{Message: &wire.Join{Token: s.welcome.Token, Channel: number}})
	if err != nil {
		return err
	}
	want, err := wire.Append(nil, wire.Frame{Message: &wire.Done{}})
	if err != nil {
		return err
	}
	c, err := open(s.welcome.Socket)
	if err != nil {
		return err
	}
	_, err = c.Write(request)
	got := make([]byte, len(want))
	if err == nil {
		_, err = io.ReadFull(c, got)
	}
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("the channel leads elsewhere")
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	s.link.Add(number, c)
	return nil
}

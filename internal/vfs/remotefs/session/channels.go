package session

import (
	"bytes"
	"errors"
	"io"

	"psync/internal/wire"
)

// furtherChannels is the maximum number of channels that are opened in addition to the first one.
const furtherChannels = 7

// widen adds channels when many bytes are in flight, because an SSH channel carries only a limited number in a round
// trip. If a channel cannot be opened, because the host forbids it or for another reason, the session does without. The
// first one shows whether the host allows it; the others are opened concurrently, since each takes two round trips.
func (s *Session) widen(open func(socket string) (io.ReadWriteCloser, error)) {
	if !s.Window.waitBusy(busyFrom) {
		return
	}
	first, err := open(s.Welcome.Socket)
	if err != nil {
		return
	}
	go func() { _ = s.join(first) }() // the session does without
	if !s.Window.waitBusy(veryBusy) {
		return
	}
	for range furtherChannels - 1 {
		go func() {
			if c, err := open(s.Welcome.Socket); err == nil {
				_ = s.join(c) // as above
			}
		}()
	}
}

// join adds a channel to the socket of the server. An error leaves the session as it was.
func (s *Session) join(c io.ReadWriteCloser) error {
	// A setting holds for all that follows on the same channel. Once the server has admitted this channel, any answer
	// may come over it, so it is too late to wait then.
	s.setting.Wait()
	request, err := wire.Append(nil, wire.Frame{Message: &wire.Join{Token: s.Welcome.Token}})
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
	s.link.Add(heardChannel{c, s})
	return nil
}

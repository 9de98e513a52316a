package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"psync/internal/vfs/reconnect"
	"psync/internal/wire"
)

// maxResumed is the maximum length in bytes of the answer to Resume.
const maxResumed = 64 << 10

// A Redialer is a [Dialer] for a host whose connection is lost. retryable reports whether another attempt may help
// after an error.
type Redialer func(ctx context.Context, first []byte) (c io.ReadWriteCloser, retryable bool, err error)

// lose is called when all channels are lost. Before the server has sent its Welcome, there is no session to resume.
func (s *Session) lose(err error) {
	if s.welcomed.Load() {
		select {
		case s.losses <- struct{}{}:
		default: // the session is about to reconnect anyway
		}
		return
	}
	s.link.Fail(err)
}

// reconnect resumes the session whenever its channels are lost, until it ends.
func (s *Session) reconnect(o Options) {
	var before uint64 // frames that have arrived
	for breaks := reconnect.EarlyBreaks(0); ; {
		select {
		case <-s.losses:
		case <-s.link.Done():
			return
		}
		if s.link.Channels() > 0 {
			continue // it has been resumed since
		}
		if o.OnLoss != nil {
			o.OnLoss()
		}
		arrived, err := s.comeBack(o.Redial)
		if err != nil {
			s.link.Fail(fmt.Errorf("the connection was cut off, and connecting again has failed: %w", err))
			return
		}
		if err := breaks.Add(arrived > before); err != nil {
			s.link.Fail(err)
			return
		}
		before = arrived
		if o.OnReturn != nil {
			o.OnReturn()
		}
		if o.OpenChannel != nil {
			go s.widen(o.OpenChannel)
		}
	}
}

// comeBack reconnects to the server. The server waits longer than it tries. It returns how many frames have arrived, in both
// directions together, over the connections before.
func (s *Session) comeBack(redial Redialer) (arrived uint64, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-s.link.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	err = reconnect.Retry(ctx, reconnect.DefaultTimeout, func(ctx context.Context) (retryable bool, err error) {
		arrived, retryable, err = s.resume(ctx, redial)
		return retryable, err
	})
	return arrived, err
}

// resume continues the session over a new channel, and returns how many frames have arrived over the channels before.
// After an error, retryable reports whether another attempt may help.
func (s *Session) resume(ctx context.Context, redial Redialer) (arrived uint64, retryable bool, err error) {
	number, received := s.channels.Add(1), s.link.Suspend()
	first, err := wire.Append(nil, wire.Frame{Message: &wire.Resume{
		Session: path.Base(path.Dir(s.Welcome.Socket)), Token: s.Welcome.Token, Channel: number, Received: received,
	}})
	if err != nil {
		return 0, false, err
	}
	c, retryable, err := redial(ctx, first)
	if err != nil {
		return 0, retryable, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	m, err := readMessage(c)
	stop()
	if err == nil {
		switch m := m.(type) {
		case *wire.Resumed:
			return framesOf(received) + framesOf(m.Received), false, s.link.Resume(number, heardChannel{c, s}, m.Received)
		case *wire.Error:
			retryable, err = false, m.Err()
		default:
			retryable, err = false, &protocolError{fmt.Sprintf("%T for a session to go on", m)}
		}
	}
	return 0, retryable, errors.Join(err, c.Close())
}

func framesOf(received []wire.Received) (n uint64) {
	for _, r := range received {
		n += r.Frames
	}
	return n
}

// readMessage reads the first frame of a channel.
func readMessage(r io.Reader) (wire.Message, error) {
	frame := make([]byte, wire.LengthSize)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	n, err := wire.Length(frame)
	if err == nil && n > maxResumed {
		err = &protocolError{"a long frame for a session to go on"}
	}
	if err != nil {
		return nil, err
	}
	frame = make([]byte, n)
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil, err
	}
	f, err := wire.Decode(frame)
	return f.Message, err
}

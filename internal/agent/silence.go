package agent

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"psync/internal/wire"
)

const (
	// maxSilence is how long nothing may come. A client that has nothing to ask sends Ping more often.
	maxSilence = time.Minute
	// maxLost is how long a client may take to start another server when it has lost its connection.
	maxLost = time.Minute
)

// silence finds out whether the client is gone.
type silence struct {
	start     time.Time
	heard     atomic.Int64 // when bytes came last, or a frame was dealt with: a time since start
	receiving atomic.Int32 // frames that are being dealt with, so their channels are not read
	sending   atomic.Int32 // answers that wait to be sent
}

func newSilence() *silence { return &silence{start: time.Now()} }

func (s *silence) hear() { s.heard.Store(int64(time.Since(s.start))) }

// begin and end surround what is done before the next frame is read.
func (s *silence) begin() { s.receiving.Add(1) }

func (s *silence) end() {
	s.hear()
	s.receiving.Add(-1)
}

// A heardChannel is a channel of which each byte shows that the client is there: over a slow line, a frame may
// take longer than maxSilence.
type heardChannel struct {
	io.ReadWriteCloser
	*silence
}

func (c heardChannel) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	c.hear()
	return n, err
}

// send sends a frame to the client.
func (s *server) send(id uint64, m wire.Message) error { return s.sendBy(s.link.Send, id, m) }

func (s *server) sendBy(send func(wire.Frame) error, id uint64, m wire.Message) error {
	s.silence.sending.Add(1)
	defer s.silence.sending.Add(-1)
	return send(wire.Frame{ID: id, Message: m})
}

// wait returns errSilent when nothing was received for too long, or nil when ctx ends.
func (s *silence) wait(ctx context.Context) error {
	timer := time.NewTimer(maxSilence)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		left := s.left()
		if left <= 0 {
			return errSilent
		}
		timer.Reset(left)
	}
}

// left returns how much longer the client may be silent.
func (s *silence) left() time.Duration {
	// Slow files may keep this side from reading, which is no fault of the client, unless it does not
	// take the answers either.
	if s.receiving.Load() > 0 && s.sending.Load() == 0 {
		return maxSilence
	}
	return maxSilence - (time.Since(s.start) - time.Duration(s.heard.Load()))
}

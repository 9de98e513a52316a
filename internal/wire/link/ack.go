package link

import (
	"io"

	"psync/internal/wire"
)

// ackAfter is how many bytes arrive over a channel before they are acknowledged, so that the other side need not keep
// them any longer.
const ackAfter = 256 << 10

// ackLocked acknowledges what has arrived over a channel. It does not wait for room in the queue: both sides
// might wait for each other.
func (l *Link) ackLocked(c *channel) error {
	c.unacked, l.due = 0, true
	l.writable.Signal()
	return l.queueLocked(func(b []byte) ([]byte, error) {
		return wire.Append(b, wire.Frame{Message: &wire.Ack{Received: wire.Received{Channel: c.number, Frames: c.received}}})
	})
}

// arrive counts a frame of n bytes that has arrived over a channel, and deals with it if it is for the Link. It returns
// false if the channel has ended: then the frame counts as lost.
func (l *Link) arrive(c *channel, m wire.Message, n int) (forLink, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.ended {
		return false, false, nil
	}
	c.received++
	if c.unacked += n; c.unacked >= ackAfter && l.resumable {
		err = l.ackLocked(c)
	}
	switch m := m.(type) {
	case *wire.Ack:
		forLink, l.established = true, true
		for _, to := range l.channels {
			if to.number != m.Channel || err != nil {
				continue
			}
			l.arrivedLocked(to, m.Frames)
			if l.resumable {
				err = to.retained.ack(m.Frames)
			}
		}
	case *wire.Probe:
		forLink, err = true, l.ackLocked(c)
	case *wire.Goodbye:
		forLink, c.leaving = true, true
	}
	return forLink, true, err
}

// lose deals with an error of a channel. A link that is resumable goes on without channels, until it is resumed.
func (l *Link) lose(c *channel, err error) {
	l.mu.Lock()
	switch {
	case c.ended || l.err != nil:
		l.mu.Unlock()
		return
	case c.leaving:
		err = io.EOF
	case l.resumable && l.established && !l.closed:
		lost := l.suspendLocked()
		l.mu.Unlock()
		closeAll(lost)
		if l.suspended != nil {
			l.suspended(err)
		}
		return
	}
	l.mu.Unlock()
	l.end(err)
}

// suspendLocked ends all channels, which the caller closes.
func (l *Link) suspendLocked() []*channel {
	ended := l.channels
	for _, c := range ended {
		c.ended = true
		l.past = append(l.past, pastChannel{c.number, c.received, c.retained})
	}
	l.channels = nil
	l.choice.forget()
	l.writable.Broadcast()
	l.sendable.Broadcast()
	return ended
}

func closeAll(channels []*channel) {
	for _, c := range channels {
		_ = c.Close() // what was written has arrived, or is retained
	}
}

// Establish says that the other side is known to be there, and to retain what it sends.
func (l *Link) Establish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resumable && len(l.channels) > 0 {
		l.established = true
		_ = l.ackLocked(l.channels[0]) // it exceeds no limit
	}
}

// SetResumable says whether the Link goes on when its channels are lost. If not, nothing is retained any more.
func (l *Link) SetResumable(resumable bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setResumableLocked(resumable)
}

func (l *Link) setResumableLocked(resumable bool) {
	l.resumable = resumable
	if !resumable {
		for _, c := range l.channels {
			c.retained = retained{sent: c.retained.sent}
		}
	}
}

// limitRetainedLocked makes the Link not resumable if more than maxRetained is retained: then the other side does not
// acknowledge what it receives.
func (l *Link) limitRetainedLocked() {
	size := 0
	for _, c := range l.channels {
		size += c.retained.size
	}
	if size > maxRetained {
		l.setResumableLocked(false)
	}
}

package session

import (
	"sync/atomic"
	"time"

	"psync/internal/wire"
)

// A ping is sent when a session has sent nothing between two ticks of pingAfter. The server ends when it has received
// nothing for a minute, and this side reports after half a minute that the server does not answer.
const pingAfter = 10 * time.Second

// watch sends pings until the link ends, and then fails the pending requests. A server that hangs is sent no more than
// one ping, which distinguishes it from one that still reads. Another ping is sent only after the last one was answered
// or anything else has arrived, since on a slow line the answer may come long after that.
func (s *Session) watch(pause time.Duration) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	var sent uint64
	var pinged atomic.Bool // a ping has not been answered
	for {
		select {
		case <-tick.C:
			if now := s.sent.Load(); now != sent {
				sent = now
			} else if heard := s.heard.Swap(false); heard || !pinged.Load() {
				pinged.Store(true)
				Post(s, &wire.Ping{}, func(*wire.Done, error) { pinged.Store(false) })
			}
			continue
		case <-s.link.Done():
		}
		err := s.Err()
		s.mu.Lock()
		s.failed = err
		pending := s.pending
		s.pending = nil
		s.mu.Unlock()
		s.Window.end()
		for _, c := range pending {
			c.answered(wire.Frame{}, err)
		}
		return
	}
}

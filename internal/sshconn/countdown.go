package sshconn

import (
	"io"
	"sync"
	"time"
)

// A countdown closes a connection after a timeout. It is paused while the user is asked.
type countdown struct {
	mu      sync.Mutex
	timer   *time.Timer
	limit   time.Duration
	expired bool
}

func (c *countdown) start(limit time.Duration, conn io.Closer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
	c.timer = time.AfterFunc(limit, func() {
		c.mu.Lock()
		c.expired = true
		c.mu.Unlock()
		_ = conn.Close() // The pending read or write returns the error.
	})
}

// stop stops the countdown. It reports whether the countdown had already expired.
func (c *countdown) stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Stop()
	return c.expired
}

// pause pauses the countdown until resume is called. Before start, it does nothing.
func (c *countdown) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil || !c.timer.Stop() {
		return func() {}
	}
	return func() { c.timer.Reset(c.limit) }
}

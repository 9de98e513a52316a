package sshconn

import (
	"io"
	"sync"
	"time"
)

// A countdown closes a connection when its time is over. It stands still while the user is asked.
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
		_ = conn.Close() // Who waits for it will tell.
	})
}

// stop stops the countdown. It reports whether that was too late.
func (c *countdown) stop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Stop()
	return c.expired
}

// pause stops the countdown until the function that it returns is called. Before the start it does
// nothing.
func (c *countdown) pause() (resume func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil || !c.timer.Stop() {
		return func() {}
	}
	return func() { c.timer.Reset(c.limit) }
}

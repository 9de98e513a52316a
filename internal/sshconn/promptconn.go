package sshconn

import (
	"net"
	"sync/atomic"
)

// A promptConn is a connection that answers the first data that arrives after a login at once.
//
// After a login, sshd sends a notice, then its keys, and then opens the first channel. Because of Nagle's algorithm, it
// sends each of these only after the previous one is acknowledged, and delayed ACKs take up to 40 ms if there is
// nothing to send.
type promptConn struct {
	net.Conn
	answer func()       // sends something that needs no reply
	left   atomic.Int32 // how many more times to call answer
	closed atomic.Bool  // by this side
	ended  atomic.Bool  // by the other one, or by what is in between
}

// answerFirst makes c answer the next data that arrives.
func (c *promptConn) answerFirst(answer func()) {
	c.answer = answer
	c.left.Store(3)
}

func (c *promptConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && !c.closed.Load() {
		c.ended.Store(true)
	}
	if n > 0 && c.left.Load() > 0 && c.left.Add(-1) >= 0 {
		go c.answer() // it may wait for data that this goroutine reads
	}
	return n, err
}

func (c *promptConn) Close() error {
	c.closed.Store(true)
	return c.Conn.Close()
}

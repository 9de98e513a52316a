package sshconn

import (
	"net"
	"sync/atomic"
)

// A promptConn is a connection on which the first bytes that arrive after a login are answered at once.
//
// When a user has logged in, sshd tells about that, then about its keys, and then opens the first channel. It sends each
// of these only when the system here has acknowledged the one before (Nagle's algorithm), which the system puts off for
// up to 40 ms while there is nothing to be sent.
type promptConn struct {
	net.Conn
	answer func()       // sends something that the host does not answer
	left   atomic.Int32 // how many times answer is still called
}

// answerFirst has what arrives next be answered.
func (c *promptConn) answerFirst(answer func()) {
	c.answer = answer
	c.left.Store(3)
}

func (c *promptConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && c.left.Load() > 0 && c.left.Add(-1) >= 0 {
		go c.answer() // it may wait for what is to be read
	}
	return n, err
}

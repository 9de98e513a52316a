package sshconn

import (
	"net"
	"testing"
	"testing/synctest"
)

// TestFirstArrivalsAreAnswered checks that each of the first arrivals has an answer sent, and no later one.
func TestFirstArrivalsAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		conn := &promptConn{Conn: near}
		go func() {
			for b := make([]byte, 1); ; {
				if _, err := conn.Read(b); err != nil {
					return
				}
			}
		}()
		answers := make(chan struct{}, 10)
		arrive := func() int {
			if _, err := far.Write([]byte{1}); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			return len(answers)
		}
		if n := arrive(); n != 0 {
			t.Errorf("%d answers during the login", n)
		}
		conn.answerFirst(func() { answers <- struct{}{} })
		for i, want := range []int{1, 2, 3, 3} {
			if n := arrive(); n != want {
				t.Errorf("%d answers to %d arrivals, want %d", n, i+1, want)
			}
		}
		_ = near.Close() // ends the reader
	})
}

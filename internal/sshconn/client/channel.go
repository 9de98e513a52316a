package client

import (
	"errors"
	"fmt"
	"io"

	"psync/internal/sshconn/printable"

	"golang.org/x/crypto/ssh"
)

// A Channel is the standard input and output of a command or a subsystem at a host. Reading and
// writing may go on at the same time. It is an io.ReadWriteCloser with a method CloseWrite, which ends
// the input. Close ends both; the command is ended by that, or later by itself.
type Channel struct {
	stream
	stderr func() string
	done   chan struct{} // closed when the command has ended
	err    error         // how it has ended
}

// stream is what channels of the protocol have in common with processes.
type stream interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// Stderr returns the last of what the command has written to its standard error, on one line and
// without control characters.
func (c *Channel) Stderr() string { return printable.Text(c.stderr()) }

// Wait waits until the command has ended, and says how. The error is nil if its exit status was 0, and
// an *[ExitError] if it was another. Any other error says that the connection was lost.
func (c *Channel) Wait() error {
	<-c.done
	return c.err
}

// An ExitError says that a command at a host has ended with another status than 0.
type ExitError struct {
	Status int    // or 0 if a signal has ended it
	Signal string // its name, or ""
	Stderr string // as by Channel.Stderr
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("exit status %d", e.Status)
	if e.Signal != "" {
		text = "signal " + printable.Text(e.Signal)
	}
	if e.Stderr != "" {
		text += ": " + e.Stderr
	}
	return text
}

// newChannel returns a channel of the protocol. lost says why the connection has ended.
func newChannel(ch ssh.Channel, requests <-chan *ssh.Request, lost func() error) *Channel {
	stderr := new(printable.Tail)
	c := &Channel{stream: ch, stderr: stderr.String, done: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(stderr, ch.Stderr()) // It is all that there will be.
	}()
	go func() {
		defer close(c.done)
		exit, ended := exitStatus(requests)
		<-read
		switch {
		case !ended:
			c.err = lost()
		case exit.Status != 0 || exit.Signal != "":
			exit.Stderr = c.Stderr()
			c.err = exit
		}
	}()
	return c
}

// exitStatus serves the requests of a channel until it is closed. It reports whether one of them said
// how the command has ended.
func exitStatus(requests <-chan *ssh.Request) (exit *ExitError, ended bool) {
	exit = new(ExitError)
	for r := range requests {
		switch r.Type {
		case "exit-status":
			var status struct{ Status uint32 }
			ended = ssh.Unmarshal(r.Payload, &status) == nil
			exit.Status = int(status.Status)
		case "exit-signal":
			var signal struct {
				Signal string
				Rest   []byte `ssh:"rest"`
			}
			ended = ssh.Unmarshal(r.Payload, &signal) == nil
			exit.Signal = signal.Signal
		}
		if r.WantReply {
			_ = r.Reply(false, nil) // A connection that is lost is found out by all others.
		}
	}
	return exit, ended
}

var errChannelClosed = errors.New("the channel was closed before the command ended")

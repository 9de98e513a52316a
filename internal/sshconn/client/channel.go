package client

import (
	"fmt"
	"io"

	"psync/internal/sshconn/printable"

	"golang.org/x/crypto/ssh"
)

// A Channel is the standard input and output of a command or subsystem on a host. Reading and writing may
// happen concurrently. It is an io.ReadWriteCloser with a CloseWrite method, which ends the input. Close
// closes both; it may or may not end the command.
type Channel struct {
	stream
	stderr func() string
	done   chan struct{} // closed when the command has ended and err is set
	err    error         // see Wait
}

// A stream is a channel of the SSH protocol, or a process.
type stream interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// Stderr returns the last part of the command's standard error, on one line and without control characters.
func (c *Channel) Stderr() string { return printable.Text(c.stderr()) }

// Wait waits until the command has ended. The error is nil if the exit status was 0, and an *[ExitError] for
// any other status. Any other error means that the connection was lost.
func (c *Channel) Wait() error {
	<-c.done
	return c.err
}

// An ExitError reports that a command on a host ended with a status other than 0.
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

// newChannel returns a channel of the SSH protocol. cause returns why the connection has ended.
func newChannel(ch ssh.Channel, requests <-chan *ssh.Request, cause func() error) *Channel {
	stderr := new(printable.Tail)
	c := &Channel{stream: ch, stderr: stderr.String, done: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(stderr, ch.Stderr()) // An error only means that there is no more.
	}()
	go func() {
		defer close(c.done)
		exit, ended := exitStatus(requests)
		<-read
		switch {
		case !ended:
			c.err = cause()
		case exit.Status != 0 || exit.Signal != "":
			exit.Stderr = c.Stderr()
			c.err = exit
		}
	}()
	return c
}

// exitStatus serves the requests of a channel until it is closed. ended reports whether one of them had the
// exit status of the command.
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
			_ = r.Reply(false, nil) // Other calls report a lost connection.
		}
	}
	return exit, ended
}

// Package process starts commands, with pipes that serve as connections.
package process

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"psync/internal/sshconn/printable"
)

// A Process is a command that was started, with pipes to it. It is a net.Conn, for the protocol can
// be spoken over it.
type Process struct {
	in     *os.File // is its standard input
	out    *os.File // is its standard output
	stderr printable.Tail
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // how it has ended
}

// Start starts a command.
func Start(args ...string) (*Process, error) {
	// With pipes of our own, Wait does not wait until all has been read.
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Process{in: in, out: out, cancel: cancel, done: make(chan struct{})}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, &p.stderr
	// A hangup is what ssh sends to a ProxyCommand. Who ignores it is killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGHUP) }
	cmd.WaitDelay = 2 * time.Second
	err = cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close() // The child has its own.
	if err != nil {
		cancel()
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go func() {
		defer close(p.done)
		p.err = cmd.Wait()
	}()
	return p, nil
}

func (p *Process) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *Process) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p *Process) CloseWrite() error           { return p.in.Close() }

// Stderr returns the last of what the process has written to its standard error.
func (p *Process) Stderr() string { return p.stderr.String() }

// Wait waits until the process has ended, and says how.
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// grace is what a process is given to end by itself when its pipes are closed, and to say why.
const grace = 200 * time.Millisecond

// Close ends the process, and waits for it.
func (p *Process) Close() error {
	_, _ = p.in.Close(), p.out.Close() // They may be closed already, and hold nothing back.
	defer p.cancel()
	select {
	case <-p.done:
		return nil
	case <-time.After(grace):
	}
	p.cancel()
	<-p.done
	return nil
}

// Deadlines are not used: who waits closes the connection.

func (p *Process) SetDeadline(time.Time) error      { return errors.ErrUnsupported }
func (p *Process) SetReadDeadline(time.Time) error  { return errors.ErrUnsupported }
func (p *Process) SetWriteDeadline(time.Time) error { return errors.ErrUnsupported }
func (p *Process) LocalAddr() net.Addr              { return pipeAddr{} }
func (p *Process) RemoteAddr() net.Addr             { return pipeAddr{} }

// pipeAddr is the address of a process.
type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

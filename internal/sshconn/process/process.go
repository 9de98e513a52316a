// Package process starts commands and uses their pipes as connections.
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

// A Process is a running command with pipes to it. It is a net.Conn, so that the SSH protocol can run over
// it.
type Process struct {
	in     *os.File // its standard input
	out    *os.File // its standard output
	stderr printable.Tail
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // how it has ended
}

// Start starts a command.
func Start(args ...string) (*Process, error) {
	// With our own pipes, Wait does not wait until everything has been read.
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
	// ssh also sends SIGHUP to a ProxyCommand. A process that ignores it is killed.
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

// Stderr returns the last part of the process's standard error.
func (p *Process) Stderr() string { return p.stderr.String() }

// Wait waits until the process has ended, and returns its error.
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// grace is how long a process may take to end and report why after its pipes are closed.
const grace = 200 * time.Millisecond

// Close ends the process, and waits for it.
func (p *Process) Close() error {
	_, _ = p.in.Close(), p.out.Close() // They may already be closed, and have no buffered data.
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

// Deadlines are not used: callers close the connection instead.

func (p *Process) SetDeadline(time.Time) error      { return errors.ErrUnsupported }
func (p *Process) SetReadDeadline(time.Time) error  { return errors.ErrUnsupported }
func (p *Process) SetWriteDeadline(time.Time) error { return errors.ErrUnsupported }
func (p *Process) LocalAddr() net.Addr              { return pipeAddr{} }
func (p *Process) RemoteAddr() net.Addr             { return pipeAddr{} }

// pipeAddr is the address of a process.
type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

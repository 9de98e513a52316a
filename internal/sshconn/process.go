package sshconn

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// A process is a command that was started, with pipes to it. It is a net.Conn, for the protocol can
// be spoken over it.
type process struct {
	in     *os.File // is its standard input
	out    *os.File // is its standard output
	stderr tail
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended
	err    error         // how it has ended
}

// start starts a command.
func start(args ...string) (*process, error) {
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
	p := &process{in: in, out: out, cancel: cancel, done: make(chan struct{})}
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

func (p *process) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p *process) CloseWrite() error           { return p.in.Close() }

// grace is what a process is given to end by itself when its pipes are closed, and to say why.
const grace = 200 * time.Millisecond

// Close ends the process, and waits for it.
func (p *process) Close() error {
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

func (p *process) SetDeadline(time.Time) error      { return errors.ErrUnsupported }
func (p *process) SetReadDeadline(time.Time) error  { return errors.ErrUnsupported }
func (p *process) SetWriteDeadline(time.Time) error { return errors.ErrUnsupported }
func (p *process) LocalAddr() net.Addr              { return pipeAddr{} }
func (p *process) RemoteAddr() net.Addr             { return pipeAddr{} }

// A tail keeps the last bytes that are written to it, as many as are shown.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	b = b[max(0, n-maxText):]
	t.text = append(t.text, b...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-maxText):]...)
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

var _ io.Writer = (*tail)(nil)

// pipeAddr is the address of a process.
type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

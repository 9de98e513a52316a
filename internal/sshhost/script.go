package sshhost

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"time"

	"psync/internal/sshconn/client"
)

// A runningScript is a script that a host has begun to run. It is waited for until it has ended.
type runningScript struct {
	failed chan error // gets the error that it is given up for
}

func (runningScript) Waiting() bool    { return true }
func (r runningScript) Fail(err error) { r.failed <- &noAgentError{reason: err, silent: true} }

// run has sh run a script, with an input, and calls output with what it prints, without what startup files have
// printed. Nothing runs any more when it returns, unless the host does not answer.
func (p *peer) run(ctx context.Context, commands string, input io.Reader, output func(*bufio.Reader) error) error {
	mark := rand.Text()
	// The script must not contain the mark itself, which a shell that shows its commands would print.
	channel, err := p.client.Exec(ctx, script("echo %s\"\"%s; %s", mark[:1], mark[1:], commands))
	if err != nil {
		return err
	}
	silence := newSilence(p.options.Timeout, p.warn)
	script := runningScript{make(chan error, 1)}
	marked, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- exchange(channel, silence, mark, func() { close(marked) }, input, output) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(p.limit()):
		_ = channel.Close() // its command may never end
		return p.silent()
	case <-marked:
	}
	silence.begin(script)
	defer silence.stop()
	select {
	case err := <-ended:
		return err
	case err := <-script.failed:
		_ = channel.Close() // as above
		return err
	}
}

// exchange serves the input and the output of a command until it has ended. It calls begun when the mark has come.
func exchange(channel *client.Channel, silence *silence, mark string, begun func(), input io.Reader, output func(*bufio.Reader) error) error {
	defer func() { _ = channel.Close() }() // it has ended
	heard := silence.hear(channel)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		if input != nil {
			_, _ = io.Copy(heard, input) // whether it has arrived is found out by its hash
		}
		_ = channel.CloseWrite() // as above
	}()
	in := bufio.NewReaderSize(heard, 32<<10)
	_, _, err := skipTo(in, []byte(mark+"\n"))
	if err == nil {
		begun()
	}
	if err == nil && output != nil {
		err = output(in)
	}
	if err != nil {
		_ = channel.Close() // or it would wait to be read
	}
	_, _ = io.Copy(io.Discard, in) // as above
	<-sent
	if exit := channel.Wait(); exit != nil {
		return exit
	}
	return err
}

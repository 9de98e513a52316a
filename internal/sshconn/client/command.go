package client

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"psync/internal/sshconn/config"
	"psync/internal/sshconn/hosterror"
	"psync/internal/sshconn/process"
)

// NewOfCommand returns a Client that runs command in place of ssh. As with rsync, its arguments are the host
// and the words of the command to run there.
func NewOfCommand(t config.Target, command []string) *Client {
	words := slices.Clone(command)
	if t.User != "" {
		words = append(words, "-l", t.User)
	}
	words = append(words, t.Host)
	name := filepath.Base(words[0])
	c := &Client{host: t.Host, port: t.Port, closed: make(chan struct{})}
	var mu sync.Mutex // guards what is below
	c.session = func(ctx context.Context, request, command string) (*Channel, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case request != "exec":
			return nil, hosterror.About(ctx, t.Host, t.Port, fmt.Errorf("%s can run commands only, no subsystems such as %s", name, command))
		case t.Port != 0:
			return nil, hosterror.About(ctx, t.Host, t.Port, fmt.Errorf("%s cannot be given a port; give it as one of its arguments", name))
		case len(c.below) > 0:
			return nil, hosterror.About(ctx, t.Host, t.Port, fmt.Errorf("%s gives one channel only", name))
		}
		p, err := process.Start(append(words, strings.Split(command, " ")...)...)
		if err != nil {
			return nil, hosterror.About(ctx, t.Host, t.Port, err)
		}
		c.below = append(c.below, p)
		return processChannel(p), nil
	}
	return c
}

// processChannel returns a channel for the pipes of a process.
func processChannel(p *process.Process) *Channel {
	c := &Channel{stream: p, stderr: p.Stderr, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		err := p.Wait()
		var exit interface{ ExitCode() int }
		switch {
		case errors.As(err, &exit):
			c.err = &ExitError{Status: exit.ExitCode(), Stderr: c.Stderr()}
		default:
			c.err = err
		}
	}()
	return c
}

package sshhost

import (
	"context"
	"errors"
	"fmt"
	"time"

	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn/client"
	"psync/internal/sshconn/hosterror"
	"psync/internal/vfs"
)

// A peer is a host that is connected to, with which a session is to be started.
type peer struct {
	client  *client.Client
	account location.Account
	number  uint8 // of the host, as [vfs.HostDev] takes it
	options *Options
	// questions are what is asked of it first, or nil.
	questions *vfs.Questions
	durations *report.Durations // of requests
	// dial connects to the host once more.
	dial func(context.Context) (*client.Client, error)
}

// byCommand reports whether a command is used in place of ssh. It need not know a shell, and gives one channel.
func (p *peer) byCommand() bool { return p.client.Endpoint() == (client.Endpoint{}) }

// warn warns the user about the host.
func (p *peer) warn(text string) {
	if p.options.Notify != nil {
		p.options.Notify(fmt.Sprintf("%s: %s", p.account, text))
	}
}

// limit is how long what is started on the host may take to answer.
func (p *peer) limit() time.Duration {
	switch o := p.options; {
	case o.ConnectTimeout > 0:
		return o.ConnectTimeout
	case o.Timeout > 0:
		return min(o.Timeout, answerTimeout)
	}
	return answerTimeout
}

// silent returns the error of a host where what was started has not answered for that long.
func (p *peer) silent() *noAgentError {
	return &noAgentError{reason: hosterror.TimeoutError(p.limit()), silent: true}
}

// A noAgentError says why there is no psync that answers requests.
type noAgentError struct {
	reason     error
	otherMajor bool // there is one, of another version of the protocol
	silent     bool // what runs there does not answer
}

func (e *noAgentError) Error() string { return e.reason.Error() }
func (e *noAgentError) Unwrap() error { return e.reason }

// noAgent returns the error of a host without psync, unless the connection was lost.
func (p *peer) noAgent(err error) error {
	if lost := p.client.Err(); lost != nil {
		return lost
	}
	if absent, ok := errors.AsType[*noAgentError](err); ok {
		return absent
	}
	if known, ok := errors.AsType[*hosterror.Error](err); ok {
		err = known.Err // the host is named by the caller
	}
	return &noAgentError{reason: err}
}

const (
	silentRemedy = "see whether the startup files of the user's shell there wait for something; --contimeout=SECONDS waits for longer"
	pathRemedy   = "give the path of psync on that host, or have --bootstrap put it there; without the flag it is looked for, and where there is none SFTP serves"
	bothRemedy   = "install psync there, or say by --remote-psync where it is, or have --bootstrap put it there; or switch on the subsystem sftp in its sshd_config"
)

// failure returns the error of a host that a session cannot be started with, unless the connection was lost.
func (p *peer) failure(err error, remedy string) error {
	if lost := p.client.Err(); lost != nil {
		return lost
	}
	e := &hosterror.Error{Host: p.account.Host, Port: p.account.Port, Err: err}
	if known, ok := errors.AsType[*hosterror.Error](err); ok {
		e = &hosterror.Error{Host: known.Host, Port: known.Port, Err: known.Err}
	}
	e.Remedy = remedy
	if absent, ok := errors.AsType[*noAgentError](err); ok && absent.silent {
		e.Remedy = silentRemedy
	}
	return e
}

// notAtPath returns the error of a host without a psync at the path that the user has given.
func (p *peer) notAtPath(absent *noAgentError) error {
	err := p.failure(fmt.Errorf("--remote-psync=%s: %w", p.options.Program, absent), pathRemedy)
	if absent.otherMajor {
		return &ProtocolError{err}
	}
	return err
}

// neither returns the error of a host that has neither SFTP, because of err, nor a psync.
func (p *peer) neither(err error, absent *noAgentError) error {
	e, ok := errors.AsType[*hosterror.Error](err)
	if !ok || p.client.Err() != nil {
		return err
	}
	remedy := bothRemedy
	if absent.silent {
		remedy = silentRemedy
	}
	err = &hosterror.Error{Host: e.Host, Port: e.Port, Err: fmt.Errorf("%w, and %w", absent, e.Err), Remedy: remedy}
	if absent.otherMajor {
		return &ProtocolError{err}
	}
	return err
}

package sshconn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"psync/internal/sshconn/hostkey"
)

// An Error says why a host cannot be reached, or why a connection to it was lost.
type Error struct {
	Host   string // as the user or the configuration names it
	Port   int    // or 0 if it is not known yet
	Err    error  // the cause
	Remedy string // what the user may do, or ""
}

func (e *Error) Error() string {
	if e.Port == 0 {
		return fmt.Sprintf("%s: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("%s port %d: %v", e.Host, e.Port, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// remedied is a cause that has a remedy.
type remedied struct {
	error
	remedy string
}

func (r *remedied) Unwrap() error { return r.error }

// hostError returns err as an *Error about a host, unless it is one of a host on the way or says that
// the caller has given up.
func hostError(ctx context.Context, host string, port int, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &known):
		return known
	}
	e := &Error{Host: escape(host), Port: port, Err: err}
	var r *remedied
	var key *hostkey.Error
	switch {
	case errors.As(err, &r):
		e.Remedy = r.remedy
	case errors.As(err, &key):
		e.Remedy = key.Remedy
	}
	return e
}

// dialError returns an error of the net package in words that need no address, for hostError has them.
func dialError(err error, timeout time.Duration) error {
	var dns *net.DNSError
	var errno syscall.Errno
	var slow net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("no such host")
	case errors.As(err, &dns):
		return fmt.Errorf("looking up the host: %s", escape(dns.Err))
	case errors.As(err, &slow) && slow.Timeout():
		return errTimeout(timeout)
	case errors.As(err, &errno):
		return errno
	}
	return err
}

func errTimeout(after time.Duration) error {
	return fmt.Errorf("no answer within %v", after)
}

// maxText is the most that is shown of what a peer says.
const maxText = 1000

// escape returns text of a peer so that it can be shown: on one line, without control characters.
func escape(text string) string {
	text = strings.TrimSpace(text)
	text = text[:min(len(text), maxText)]
	quoted := strconv.QuoteToGraphic(text)
	quoted = quoted[1 : len(quoted)-1]
	return strings.ReplaceAll(quoted, `\"`, `"`)
}

// lastLine returns the last line of what a process or a peer has said.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return escape(text[strings.LastIndexByte(text, '\n')+1:])
}

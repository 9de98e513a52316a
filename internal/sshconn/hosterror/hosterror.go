// Package hosterror describes why hosts cannot be reached, and what can be done about it.
package hosterror

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"psync/internal/sshconn/hostkey"
	"psync/internal/sshconn/printable"
)

// An Error describes why a host cannot be reached, or why a connection to it was lost.
type Error struct {
	Host   string // the name from the user or the configuration
	Port   int    // 0 if it is not known yet
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

// A RemediedError is a cause that has a remedy, which becomes that of its [Error].
type RemediedError struct {
	Cause  error
	Remedy string
}

func (r *RemediedError) Error() string { return r.Cause.Error() }
func (r *RemediedError) Unwrap() error { return r.Cause }

// A NeedsSSHError reports that only ssh supports something.
type NeedsSSHError struct {
	What string // Kerberos, for example
}

func (e *NeedsSSHError) Error() string { return "only ssh can use " + e.What }

// About wraps err in an *Error about a host, unless it already is one about a jump host, or ctx has ended.
func About(ctx context.Context, host string, port int, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &known):
		return known
	}
	e := &Error{Host: printable.Text(host), Port: port, Err: err}
	var r *RemediedError
	var key *hostkey.Error
	switch {
	case errors.As(err, &r):
		e.Remedy = r.Remedy
	case errors.As(err, &key):
		e.Remedy = key.Remedy
	}
	return e
}

// Dialing returns an error of package net without the address, which About adds. network is tcp, or tcp4 or tcp6 if the
// configuration allows only one kind of address.
func Dialing(err error, network string, timeout time.Duration) error {
	var dns *net.DNSError
	var address *net.AddrError
	var errno syscall.Errno
	var slow net.Error
	only := map[string]string{
		"tcp4": "no IPv4 address, and AddressFamily inet of the configuration allows no other",
		"tcp6": "no IPv6 address, and AddressFamily inet6 of the configuration allows no other",
	}[network]
	switch {
	case errors.As(err, &address) && only != "":
		return errors.New("it has " + only)
	case errors.As(err, &dns) && dns.IsNotFound && only != "":
		return errors.New("there is no such host, or it has " + only)
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("no such host")
	case errors.As(err, &dns):
		return fmt.Errorf("looking up the host: %s", printable.Text(dns.Err))
	case errors.As(err, &slow) && slow.Timeout():
		return TimeoutError(timeout)
	case errors.As(err, &errno):
		return errno
	}
	return err
}

// A TimeoutError says that a host has not answered within a time.
type TimeoutError time.Duration

func (e TimeoutError) Error() string { return fmt.Sprintf("no answer within %v", time.Duration(e)) }

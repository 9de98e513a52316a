// Package address parses what --queue names: a server of NATS and a job there.
package address

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"psync/internal/queue"
)

var (
	// ErrAddress is the error for what is not an address of a job.
	ErrAddress = errors.New("not nats://HOST[:PORT]/JOB or tls://HOST[:PORT]/JOB")
	// ErrOpen is the error for a server that others could pretend to be, or write to.
	ErrOpen = errors.New("hosts are reached by TLS and with credentials only")
)

// defaultPort is that of NATS.
const defaultPort = "4222"

// An Address says where a job is.
type Address struct {
	Host string // without brackets
	Port string
	Job  string
	TLS  bool
}

// Parse parses nats://HOST[:PORT]/JOB, or the same with tls.
func Parse(text string) (a Address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || len(u.Path) < 2 || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.RawPath != "" {
		return a, fmt.Errorf("%q: %w", text, ErrAddress)
	}
	if u.User != nil { // it would be seen by anyone who lists processes
		return a, fmt.Errorf("%q has a user or a password, which belong in a file of credentials: %w", u.Redacted(), ErrAddress)
	}
	a = Address{Host: u.Hostname(), Port: u.Port(), Job: u.Path[1:], TLS: u.Scheme == "tls"}
	if a.Port == "" {
		a.Port = defaultPort
	}
	if n, err := strconv.ParseUint(a.Port, 10, 16); err != nil || n == 0 || u.Scheme != "nats" && !a.TLS {
		return a, fmt.Errorf("%q: %w", text, ErrAddress)
	}
	return a, queue.CheckJob(a.Job)
}

// Server returns the URL of the server.
func (a Address) Server() string {
	scheme := "nats"
	if a.TLS {
		scheme = "tls"
	}
	return scheme + "://" + net.JoinHostPort(a.Host, a.Port)
}

func (a Address) String() string { return a.Server() + "/" + a.Job }

// A Security says how to make sure that the server is the right one, and allows what this host does.
type Security struct {
	CA          string // a file of certificates to trust; "": those of the system
	Credentials string // a file: the seed of an nkey, or credentials of NATS
	Insecure    bool   // anyone may be the server, and anyone may use it
}

// Check returns an error unless the server can be trusted. One on this host is.
func (a Address) Check(s Security) error {
	switch {
	case s.Insecure, IsLoopback(a.Host):
		return nil
	case !a.TLS && s.CA == "":
		return fmt.Errorf("%s without TLS: %w", a, ErrOpen)
	case s.Credentials == "":
		return fmt.Errorf("%s without credentials: %w", a, ErrOpen)
	}
	return nil
}

// IsLoopback reports whether a host is this one, and cannot be reached from others by that name.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

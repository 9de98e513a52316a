// Package sshhost opens hosts that ssh reaches as file systems: by a psync that runs there or, where there is none,
// by SFTP. If need be it puts psync there first.
package sshhost

import (
	"context"
	"errors"
	"sync"
	"time"

	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn"
	"psync/internal/sshconn/client"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// Options say how hosts are opened.
type Options struct {
	sshconn.Options
	// Program is the path of psync on the hosts, where it has to be, or a name that is looked for on PATH, or "" if it
	// is looked for as psync.
	Program   string
	Bootstrap bool   // this program is put on hosts where it is not
	Version   string // of this program
	Compress  wire.Compression
	Timeout   time.Duration // for which a host may be silent while it should answer; 0: for any
	// Note informs the user of something that is not a reason to worry. It may be nil.
	Note func(text string)
}

// A Dialer opens hosts, each of them once.
type Dialer struct {
	options   Options
	dialer    *sshconn.Dialer
	questions questions

	mu    sync.Mutex // guards what follows
	hosts map[location.Account]*Host
	// started are connections that are being made, or that no one has asked for yet.
	started map[location.Account]*dial
}

// NewDialer returns a Dialer.
func NewDialer(o Options) *Dialer {
	d := &Dialer{hosts: make(map[location.Account]*Host), started: make(map[location.Account]*dial)}
	o.Ask, o.AskSecret = d.questions.during(o.Ask), d.questions.during(o.AskSecret)
	d.options, d.dialer = o, sshconn.NewDialer(o.Options)
	return d
}

// A ProtocolError says that the psync on a host is of another generation, and that there is no SFTP either.
type ProtocolError struct{ Err error }

func (e *ProtocolError) Error() string { return e.Err.Error() }

func (e *ProtocolError) Unwrap() error { return e.Err }

// Reached reports whether an error of Open is about what runs on the host, rather than about the connection to it.
func Reached(err error) bool { return errors.As(err, new(*noAgentError)) }

// Open connects to a host, unless that is done, and asks a psync there the questions q, which may be nil. How long a psync
// there takes to answer is added to durations. Unless ctx has ended, the error is an *[hosterror.Error] or wraps one.
func (d *Dialer) Open(ctx context.Context, r location.Account, q *vfs.Questions, durations *report.Durations) (*Host, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h := d.hosts[r]; h != nil {
		return h, nil
	}
	client, err := d.dial(ctx, r)
	if err != nil {
		return nil, err
	}
	if h := d.at(client.Endpoint()); h != nil {
		_ = client.Close() // nothing was asked of it
		d.hosts[r] = h
		return h, nil
	}
	h, err := d.open(ctx, client, r, q, durations)
	if err != nil {
		_ = client.Close() // what has failed is why nothing can be done with it
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	d.hosts[r] = h
	return h, nil
}

// at returns the host where another connection ends, if there is one, even if it is not reached by the same protocol:
// then what overlaps by paths is found out.
func (d *Dialer) at(e client.Endpoint) *Host {
	for _, h := range d.hosts {
		if e != (client.Endpoint{}) && h.client.Load().Endpoint() == e {
			return h
		}
	}
	return nil
}

// Close ends all connections.
func (d *Dialer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, h := range d.hosts {
		// What was written was reported when its file was closed.
		h.silence.stop()
		_ = h.session.Close()
		_ = h.client.Load().Close()
	}
	clear(d.hosts)
	for _, s := range d.started {
		s.stop()
	}
	clear(d.started)
}

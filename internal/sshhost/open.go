package sshhost

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn/client"
	"psync/internal/vfs"
)

// open starts a session: by psync, unless the user wants SFTP, and else by SFTP.
func (d *Dialer) open(ctx context.Context, c *client.Client, r location.Account, q *vfs.Questions, durations *report.Durations) (*Host, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.Close() }) // a host may never begin to speak
	defer stop()
	if d.options.ConnectTimeout > answerTimeout {
		defer d.noticeSlow(r)()
	}
	p := &peer{
		client: c, account: r, number: uint8(len(d.hosts) + 1), options: &d.options, questions: q, durations: durations, // there are two hosts at most
		dial: func(ctx context.Context) (*client.Client, error) { return d.dialer.Dial(ctx, target(r)) },
	}
	if r.SFTP {
		return p.open(ctx, startSFTP)
	}
	h, err := p.openAgent(ctx)
	absent, ok := errors.AsType[*noAgentError](err)
	switch {
	case !ok:
		return h, err
	case strings.Contains(d.options.Program, "/"):
		return nil, p.notAtPath(absent)
	}
	if absent.silent && !p.byCommand() {
		p.warn(absent.Error() + "; SFTP is tried")
	}
	h, err = p.open(ctx, startSFTP)
	if err != nil {
		return nil, p.neither(err, absent)
	}
	if d.options.Note != nil {
		d.options.Note(fmt.Sprintf("%s: %v; SFTP is used instead, which keeps less", r, absent))
	}
	return h, nil
}

// openAgent starts a session with a psync on the host. If there is none, or none that this one can speak to, the error
// is a *noAgentError, and the channel that it took is free again.
func (p *peer) openAgent(ctx context.Context) (*Host, error) {
	if p.options.Bootstrap && !p.byCommand() {
		h, err := p.openBootstrapped(ctx)
		if absent, ok := errors.AsType[*noAgentError](err); !ok || absent.silent {
			return h, err
		}
		if p.options.Note != nil {
			p.options.Note(fmt.Sprintf("%s: psync cannot be put there: %v", p.account, err))
		}
	}
	if p.byCommand() {
		return p.serve(ctx, plainServeCommand(p.options.Program))
	}
	return p.serve(ctx, serveCommand(p.options.Program))
}

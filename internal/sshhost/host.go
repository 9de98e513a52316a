package sshhost

import (
	"context"
	"io/fs"
	"sync/atomic"
	"time"

	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/sshconn/client"
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs"
	"psync/internal/vfs/retry"
	"psync/internal/vfs/sftpfs"
)

// A Host is a host that ssh reaches. Errors about its paths name it.
type Host struct {
	vfs.Host
	account location.Account
	session *session
	silence *silence // since it has answered last
	client  *connection
	retries bool // Recover was called
}

// A connection leads to a host. It is replaced when it was lost and the host is connected to again.
type connection struct{ atomic.Pointer[client.Client] }

func newConnection(c *client.Client) *connection {
	current := new(connection)
	current.Store(c)
	return current
}

// RoundTrip returns the least time that the host has taken to answer.
func (h *Host) RoundTrip() time.Duration { return h.client.Load().RTT() }

// IsSFTP reports whether the host is reached by SFTP, which cannot do all that a psync there can.
func (h *Host) IsSFTP() bool {
	_, is := h.session.host().(*sftpfs.Host)
	return is
}

// SyncsFiles reports whether files can be synced on the host.
func (h *Host) SyncsFiles() bool {
	fs, is := h.session.host().(*sftpfs.Host)
	return !is || fs.SyncsFiles()
}

// AskPaths asks the questions about paths that the host will likely be asked next, all at once, if a psync serves.
func (h *Host) AskPaths(q *vfs.Questions) {
	if served, ok := h.Host.(*remotefs.Host); ok {
		served.AskPaths(q)
	}
}

// Recover has calls concerning files wait as vs says when the connection is lost, and be made again when it is made again, until
// ctx is done. The time that calls take is added to durations, unless a psync serves, whose requests are counted already.
func (h *Host) Recover(ctx context.Context, vs *retry.Volumes, durations *report.Durations) {
	if h.retries {
		return
	}
	h.retries = true
	if !h.IsSFTP() {
		durations = new(report.Durations)
	}
	h.Host = vs.RemoteHost(ctx, h.session.host(), retry.Redialer{
		Name: h.account.String(), Warn: h.session.peer.warn,
		Redial: func(redialing context.Context) (retry.Session, bool, error) { return h.session.redial(ctx, redialing) },
	}, durations)
}

// named returns an error of a path as one that names the host, too.
func (h *Host) named(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: e.Op, Path: h.account.String() + ":" + e.Path, Err: e.Err}
	}
	return err
}

func (h *Host) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	a, err := h.Host.Stat(path, how)
	return a, h.named(err)
}

func (h *Host) Resolve(path string) (string, error) {
	p, err := h.Host.Resolve(path)
	return p, h.named(err)
}

func (h *Host) Inside(inner, outer string) (routes []string, inside bool, err error) {
	routes, inside, err = h.Host.Inside(inner, outer)
	return routes, inside, h.named(err)
}

func (h *Host) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	d, err := h.Host.Open(path, o)
	return d, h.named(err)
}

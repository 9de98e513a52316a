package retry

import (
	"context"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// A remoteHost implements [vfs.Host] by one session after the other.
type remoteHost struct {
	vfs.Host // the first session, for what is known without a request
	conn     *connection
	volume   *volume
	calls    *report.Durations
}

// RemoteHost returns a host that wraps a session, and those that Redial makes when its connection is lost: all calls are
// made again. The time that calls take is added to durations. Nothing is waited for any more when ctx is done.
func (vs *Volumes) RemoteHost(ctx context.Context, s Session, r Redialer, durations *report.Durations) vfs.Host {
	c := &connection{Redialer: r, all: &vs.shared, done: ctx.Done(), roots: make(map[*root]place)}
	c.session.Store(&s)
	return &remoteHost{Host: s, conn: c, volume: &volume{all: &vs.shared, conn: c}, calls: durations}
}

// do makes a call, and repeats it when the connection was lost.
func (h *remoteHost) do(f func(Session) error) error {
	for {
		err := f(h.conn.current())
		if !outcome.IsLost(err) {
			return err
		}
		if err := h.volume.await(nil, err); err != nil {
			return err
		}
	}
}

func (h *remoteHost) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	return get(h.do, func(s Session) (vfs.Attr, error) { return s.Stat(path, how) })
}

func (h *remoteHost) Resolve(path string) (string, error) {
	return get(h.do, func(s Session) (string, error) { return s.Resolve(path) })
}

func (h *remoteHost) Inside(inner, outer string) (routes []string, inside bool, err error) {
	err = h.do(func(s Session) (err error) {
		routes, inside, err = s.Inside(inner, outer)
		return err
	})
	return routes, inside, err
}

// Account implements [vfs.Host].
func (h *remoteHost) Account(a vfs.Account) (vfs.Account, error) {
	return get(h.do, func(s Session) (vfs.Account, error) { return s.Account(a) })
}

// Open implements [vfs.Host].
func (h *remoteHost) Open(path string, o vfs.OpenOptions) (vfs.Dir, error) {
	var d vfs.Dir
	var at place
	var attr vfs.Attr
	err := h.do(func(s Session) (err error) {
		if d, err = s.Open(path, o); err != nil {
			return err
		}
		if at, err = placeOf(d); err == nil {
			attr, err = vfs.Lstat(d, ".")
		}
		if err != nil {
			return vfs.JoinErrors(err, d.Close())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	at.open = o
	at.open.Mkdir, at.open.MkdirAll = false, false
	r := &root{label: path, dev: attr.Dev, calls: h.calls, open: func() (vfs.Dir, error) { return at.openIn(h.conn.current()) }}
	h.conn.remember(r, at)
	return newDir(d, h.volume, r), nil
}

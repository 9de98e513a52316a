// Package remotefs implements vfs on a psync that runs on another host.
//
// Each operation is a request, and requests do not wait for what they build on: the client chooses the handle of
// what it opens, and uses it before it is open. Listings bring attributes, and those of the directories below, ahead
// of their being asked for; a small file is one request in either direction. So many files are under way at once,
// and hardly any operation costs a round trip of its own.
//
// What a listing says of a name holds until this session changes the name, but an entry that is missing, and a
// directory itself, are looked at again when the listing is some seconds old. A caller that is about to change something
// does not rely on that: Look asks the server, and RemoveUnchanged and Replace have it look.
package remotefs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// Options say how New sets up a Host.
type Options struct {
	Number uint8  // of the host, as [vfs.HostDev] takes it
	Host   string // what it is called in errors, such as "user@host"
	// Compress says what is compressed, in both directions.
	Compress wire.Compression
	// Questions are asked at once, and answered from what has come when the Host is asked. They may be nil.
	Questions *vfs.Questions
	// Durations counts how long requests take to be answered. It may be nil.
	Durations *report.Durations
	// OpenChannel opens a further channel, to a socket at the host. It is called when one channel seems to be too
	// slow, and not again if the first of these calls fails. If it is nil, one channel must do.
	OpenChannel func(socket string) (io.ReadWriteCloser, error)
	// Timeout is how long the server may be silent for the caller, who ends the session then; 0: for any time. The server
	// is asked for a sign of life often enough.
	Timeout time.Duration
	// Redial connects again when the connection is lost, and the session goes on where it was. If it is nil, the session
	// ends then.
	Redial Redialer
	// OnLoss and OnReturn are called when the connection is lost, and when the session goes on. They may be nil.
	OnLoss, OnReturn func()
}

// A Dialer connects to a server, and returns the channel to it, which carries what follows [wire.Magic]. It has the
// server take first, some frames, as the first ones.
type Dialer func(first []byte) (io.ReadWriteCloser, error)

// A Host implements [vfs.Host] for the host that a psync at the other end of a channel runs on.
type Host struct {
	s     *session
	paths pathCache
	ahead openedAhead
}

// New starts a session. The Host closes the channel that dial returns in the end. An error of dial is returned as it is.
func New(ctx context.Context, dial Dialer, o Options) (*Host, error) {
	h := &Host{s: newSession(o)}
	welcome := h.s.greet(o.Compress, o.Redial != nil)
	if o.Questions != nil {
		h.startAnswering(o.Questions)
	}
	channel, err := dial(h.s.link.TakeQueued())
	if err == nil {
		h.s.link.Add(0, heardChannel{channel, h.s})
		err = h.s.awaitWelcome(ctx, welcome)
	}
	if err != nil {
		_ = h.Close() // err says more
		return nil, err
	}
	if o.Redial != nil && h.s.welcome.Socket != "" {
		go h.s.reconnect(o)
		h.s.link.Settle()
	} else {
		h.s.link.SetResumable(false)
	}
	if o.OpenChannel != nil && h.s.welcome.Socket != "" {
		go h.s.widen(o.OpenChannel)
	}
	return h, nil
}

// Close ends the session. Directories and files of the Host cannot be used any more.
func (h *Host) Close() error { return h.s.link.Close() }

// Lost returns a channel that is closed when the session has ended. Err then says why, and every operation fails
// with a *[vfs.LostError].
func (h *Host) Lost() <-chan struct{} { return h.s.link.Done() }

// Waiting reports whether an answer is due.
func (h *Host) Waiting() bool {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return len(h.s.pending) > 0
}

// Fail ends the session because of err, unless it has ended.
func (h *Host) Fail(err error) { h.s.link.Fail(err) }

// Err returns the *[vfs.LostError] that ended the session, or nil.
func (h *Host) Err() error { return h.s.err() }

// Stat implements [vfs.Host].
func (h *Host) Stat(p string) (vfs.Attr, error) { return h.stat("stat", wire.QueryStat, p) }

// Lstat implements [vfs.Host].
func (h *Host) Lstat(p string) (vfs.Attr, error) { return h.stat("lstat", wire.QueryLstat, p) }

func (h *Host) stat(op string, q wire.PathQueryKind, p string) (vfs.Attr, error) {
	a, err := askPath[*wire.AttrAnswer](h, wire.PathQuery{Query: q, Path: p})
	if err != nil {
		return vfs.Attr{}, pathError(op, p, err)
	}
	return h.s.attr(a.Attr), nil
}

// Resolve implements [vfs.Host].
func (h *Host) Resolve(p string) (string, error) {
	a, err := askPath[*wire.Paths](h, wire.PathQuery{Query: wire.QueryResolve, Path: p})
	if err != nil {
		return "", pathError("resolve", p, err)
	}
	if len(a.Paths) != 1 {
		return "", h.s.fail("more or less than one path")
	}
	return a.Paths[0], nil
}

// Inside implements [vfs.Host].
func (h *Host) Inside(inner, outer string) (bool, error) {
	a, err := askPath[*wire.Truth](h, wire.PathQuery{Query: wire.QueryInside, Path: inner, Outer: outer})
	if err != nil {
		return false, pathError("stat", inner, err)
	}
	return a.Is, nil
}

// Routes implements [vfs.Host].
func (h *Host) Routes(inner, outer string) ([]string, error) {
	a, err := askPath[*wire.Paths](h, wire.PathQuery{Query: wire.QueryRoutes, Path: inner, Outer: outer})
	if err != nil {
		return nil, pathError("stat", inner, err)
	}
	return a.Paths, nil
}

// Open implements [vfs.Host].
func (h *Host) Open(p string, noatime bool) (vfs.Dir, error) {
	return h.open(&wire.OpenPath{Path: p, Noatime: noatime})
}

// OpenTrusted implements [vfs.Host].
func (h *Host) OpenTrusted(p string, o vfs.OpenOptions) (vfs.Dir, error) {
	return h.open(&wire.OpenPath{Path: p, Trusted: true, Options: o})
}

func (h *Host) open(m *wire.OpenPath) (vfs.Dir, error) {
	if d := h.ahead.take(m); d != nil {
		if info, err := d.handle.wait(); err == nil && d.know(info) == nil {
			return d, nil
		}
		_ = d.Close() // by now it may be otherwise
	}
	defer h.paths.forget() // it may make directories
	d := h.startOpening(m)
	info, err := d.handle.wait()
	if err == nil {
		err = d.know(info)
	}
	if err != nil {
		_ = d.Close() // nothing was done with it
		missing := m.Path
		if m.Options.Mkdir && !m.Options.MkdirAll && errors.Is(err, fs.ErrNotExist) {
			missing = path.Dir(m.Path)
		}
		return nil, pathError("open", missing, err)
	}
	return d, nil
}

// startOpening opens a directory by path, and does not wait for it.
func (h *Host) startOpening(m *wire.OpenPath) *Dir {
	m.New = h.s.handle()
	d := newDir(h.s, openedHandle(h.s, m.New))
	d.isRoot = true
	post(h.s, m, func(a *wire.Opened, err error) {
		if err != nil {
			d.handle.answered(nil, err)
			return
		}
		d.handle.answered(&a.DirInfo, nil)
		_ = d.know(&a.DirInfo) // who waits for it is told; from now on d learns of changes by others
	})
	return d
}

// Prepare implements [vfs.Host]. It does not wait: should it fail, which only the system of a Mac could let it, the
// session ends.
func (h *Host) Prepare(p vfs.Preparation) error {
	if earlier := h.s.asked.Load(); earlier != nil && *earlier == p {
		return nil
	}
	if !h.s.asked.CompareAndSwap(nil, &p) && *h.s.asked.Load() != p {
		h.s.asked.Store(&vfs.Preparation{}) // earlier entries may have come with less
	}
	h.s.setting.Add(1)
	post(h.s, &wire.Prepare{Preparation: p}, func(_ *wire.Done, err error) {
		defer h.s.setting.Done()
		if err != nil {
			h.s.link.Fail(err)
		}
	})
	return nil
}

// ClearUmask implements [vfs.Host]. It does not wait, for the server has told its umask before.
func (h *Host) ClearUmask() fs.FileMode {
	h.s.setting.Add(1)
	post(h.s, &wire.ClearUmask{}, func(*wire.Umask, error) { h.s.setting.Done() })
	return h.s.welcome.Umask.Perm()
}

// AccountName implements [vfs.Host].
func (h *Host) AccountName(k vfs.AccountKind, id uint32) (string, error) {
	a, err := ask(h.s, &wire.Account{Group: bool(k), ID: id})
	if err != nil {
		return "", pathError("account", "", err)
	}
	return a.Name, nil
}

// AccountID implements [vfs.Host].
func (h *Host) AccountID(k vfs.AccountKind, name string) (uint32, error) {
	a, err := ask(h.s, &wire.Account{Group: bool(k), Name: name})
	if err != nil {
		return 0, pathError("account", name, err)
	}
	return a.ID, nil
}

// User implements [vfs.Host].
func (h *Host) User() vfs.User { return h.s.welcome.User }

// System implements [vfs.Host].
func (h *Host) System() string { return h.s.welcome.System }

// Kernel implements [vfs.Host].
func (h *Host) Kernel() vfs.Kernel { return h.s.welcome.Kernel }

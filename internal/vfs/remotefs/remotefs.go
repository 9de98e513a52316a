// Package remotefs implements vfs by a psync that runs on another host.
//
// Each operation is a request, and requests do not wait for those that they depend on: the client chooses the handle of
// what it opens, and uses it before it is open. A listing brings attributes, and also the listings of the directories
// below, before they are asked for; a small file takes one request in either direction. So many files are in transfer
// at once, and hardly any operation costs a round trip of its own.
//
// No attributes are kept: what a listing says of an entry, the target of a link included, is passed to the caller, and
// each Lstat asks the server. Of a directory that is read remain the names of directories in it and what came ahead of
// them, until they are opened or changed. What came with opening a directory is used for some seconds. Callers that are
// about to change something do not rely on listings: they give Remove and Rename a premise, which the server checks.
package remotefs

import (
	"io/fs"
	"sync/atomic"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/files"
	"psync/internal/vfs/remotefs/listing"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A Host implements [vfs.Host] for the host that a psync at the other end of a channel runs on.
type Host struct {
	s     *files.Client
	tree  listing.Tree
	kept  atomic.Int64 // directories that were made and not entered yet
	paths pathCache
	ahead openedAhead
}

// Options say how Dial sets up a Host.
type Options = session.Options

// A Dialer connects to a server.
type Dialer = session.Dialer

// Close ends the session. Directories and files of the Host cannot be used any more.
func (h *Host) Close() error { return h.s.Close() }

// Lost returns a channel that is closed when the session has ended. Err then says why, and every operation fails
// with a *[vfs.LostError].
func (h *Host) Lost() <-chan struct{} { return h.s.Done() }

// Waiting reports whether a request is waiting for its answer.
func (h *Host) Waiting() bool { return h.s.Waiting() }

// Fail ends the session because of err, unless it has ended.
func (h *Host) Fail(err error) { h.s.Fail(err) }

// Err returns the *[vfs.LostError] that ended the session, or nil.
func (h *Host) Err() error { return h.s.Err() }

// Session returns the session, for another one that replaces it, or nil if h is nil.
func (h *Host) Session() *session.Session {
	if h == nil {
		return nil
	}
	return h.s.Session
}

// Stat implements [vfs.Host].
func (h *Host) Stat(p string, how vfs.Resolve) (vfs.Attr, error) {
	op, q := "stat", wire.QueryStat
	if how == vfs.NoFollow {
		op, q = "lstat", wire.QueryLstat
	}
	a, err := askPath[*wire.AttrAnswer](h, wire.PathQuery{Query: q, Path: p})
	if err != nil {
		return vfs.Attr{}, session.PathError(op, p, err)
	}
	return h.s.Attr(a.Attr), nil
}

// Resolve implements [vfs.Host].
func (h *Host) Resolve(p string) (string, error) {
	a, err := askPath[*wire.Paths](h, wire.PathQuery{Query: wire.QueryResolve, Path: p})
	if err != nil {
		return "", session.PathError("resolve", p, err)
	}
	if len(a.Paths) != 1 {
		return "", h.s.Reject("more or less than one path")
	}
	return a.Paths[0], nil
}

// Inside implements [vfs.Host].
func (h *Host) Inside(inner, outer string) (routes []string, inside bool, err error) {
	a, err := askPath[*wire.Paths](h, wire.PathQuery{Query: wire.QueryInside, Path: inner, Outer: outer})
	if err != nil {
		return nil, false, session.PathError("stat", inner, err)
	}
	return a.Paths, a.Inside, nil
}

// Prepare implements [vfs.Host]. It does not wait. If it fails, which is possible only on macOS, the session ends.
func (h *Host) Prepare(p vfs.Preparation) error {
	if earlier := h.s.Asked.Load(); earlier != nil && *earlier == p {
		return nil
	}
	if !h.s.Asked.CompareAndSwap(nil, &p) && *h.s.Asked.Load() != p {
		h.s.Asked.Store(&vfs.Preparation{}) // earlier entries may have come with less
	}
	session.PostSetting(h.s.Session, &wire.Prepare{Preparation: p}, func(_ *wire.Done, err error) {
		if err != nil {
			h.s.Fail(err)
		}
	})
	return nil
}

// ClearUmask implements [vfs.Host]. It does not wait, since the server has already sent its umask.
func (h *Host) ClearUmask() fs.FileMode {
	session.PostSetting(h.s.Session, &wire.ClearUmask{}, func(*wire.Done, error) {})
	return h.s.Welcome.Umask.Perm()
}

// Account implements [vfs.Host].
func (h *Host) Account(a vfs.Account) (vfs.Account, error) {
	found, err := session.Ask[*wire.Account](h.s.Session, &wire.Account{Account: a})
	if err != nil {
		return a, session.PathError("account", a.Name, err)
	}
	return found.Account, nil
}

// Info implements [vfs.Host].
func (h *Host) Info() vfs.HostInfo { return h.s.Welcome.Info }

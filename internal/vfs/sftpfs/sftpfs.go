// Package sftpfs implements vfs over SFTP, version 3 of the protocol, with the extensions of OpenSSH.
//
// A [Host] speaks to one server through one or more channels; this package only knows that they carry bytes. A
// directory is a path below an opened root, and each operation is one on a path: SFTP has no directory handles that
// operations could be relative to. So, unlike with other implementations,
//   - what a component of a path leads to may be changed by others between two operations. The path of a
//     root has no symbolic link in it when it is opened, and no operation goes through an entry that
//     is known to be one, but a server cannot be asked to follow none.
//   - a directory that is renamed while it is open is not found again, and a path may be too long.
//   - an entry is identified by its path, or by the one that it had before this Host renamed it. Hard links, and
//     a directory that is mounted twice, are not recognised, and there is one device.
//
// SETSTAT follows links, so it is sent only for an entry that is known not to be one. What the protocol lacks is
// unsupported: times and owners of links, special files, fractions of seconds, times before 1970 and after 2106,
// extended attributes, ACLs, flags, change times and creation times.
//
// The attributes that come with a listing are passed on with its entries, so comparing a tree costs four or five requests
// per directory and none per entry. What must be known of an entry before it is opened or changed, such as its type, is
// remembered for a limited number of entries; for others the server is asked. Package sftp holds the whole listing of a directory in memory, however large it is.
//
// Package sftp waits for the answer to each request. Files are therefore read and written by requests of this package,
// several of which are sent at once; see readfile.go and newfile.go.
//
// When a channel is lost, so is the session: all calls fail with a *[vfs.LostError]. Another Host may take its place, for which
// package retry opens directories and files again.
//
// Servers report most errors only as a failure. This package then finds out whether an entry already exists or is of
// the wrong type, and whether the file system is full or read-only.
package sftpfs

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
)

// Options say how NewHost sets up a Host.
type Options struct {
	Number uint8  // of the host, as [vfs.HostDev] takes it
	Host   string // its name in errors, such as "user@host"
	// OpenChannel opens another channel to the same server. It is called when requests pile up in the open channels, up
	// to three times, and not again after it has failed. It may be nil.
	OpenChannel func() (io.ReadWriteCloser, error)
	// Before is the Host whose connection to the same server was lost, or nil. Entries keep the numbers that they have there.
	Before *Host
}

// A Host implements [vfs.Host] for the server at the other end of SFTP channels.
type Host struct {
	*session
	home string // where relative paths start
}

// NewHost starts a session on a channel, which the Host closes when it is closed.
func NewHost(channel io.ReadWriteCloser, o Options) (*Host, error) {
	s := &session{
		channels: channels{host: o.Host, openMore: o.OpenChannel, lost: make(chan struct{}), max: maxChannels},
		dev:      vfs.HostDev(o.Number, 1),
		user:     vfs.User{UID: -1, GID: -1},
		ids:      &identities{seed: maphash.MakeSeed()},
		replaced: &replaced{backups: make(map[string]string)},
		cache:    cache{entries: make(map[string]known)},
	}
	if o.Before != nil {
		s.ids, s.replaced = o.Before.ids, o.Before.replaced
	}
	s.making.init()
	if err := s.add(channel); err != nil {
		return nil, fmt.Errorf("no SFTP: %w", err)
	}
	has := func(name, version string) bool {
		got, ok := s.all[0].HasExtension(name)
		return ok && got == version
	}
	s.ext = extensions{
		posixRename: has("posix-rename@openssh.com", "1"),
		hardlink:    has("hardlink@openssh.com", "1"),
		statvfs:     has("statvfs@openssh.com", "2"),
		fsync:       has("fsync@openssh.com", "1"),
		ordered:     has("fstatvfs@openssh.com", "2"),
	}
	h := &Host{session: s}
	if err := cmp.Or(s.putBack(), h.findHome()); err != nil {
		_ = h.Close() // err says more
		return nil, err
	}
	return h, nil
}

// findHome asks for the directory that the session starts in, and assumes that its owner is the user, which SFTP does
// not report. The owner of the root directory proves nothing: it is root even if the user is confined to a part of the
// tree.
func (h *Host) findHome() error {
	home, err := ask(h.session, func(c *sftp.Client) (string, error) { return c.RealPath(".") })
	if err == nil && !(strings.HasPrefix(home, "/") && isTarget(home)) {
		err = fmt.Errorf("the server names the path %.100q as its working directory", home)
	}
	if err != nil {
		return err
	}
	h.home = path.Clean(home)
	if a, err := h.lstat(h.home); err == nil && h.home != "/" && a.isDir() {
		h.user = vfs.User{UID: int(a.uid), GID: int(a.gid)}
	}
	return nil
}

// Close ends the session and closes all channels. Directories and files of the Host cannot be used any more.
func (h *Host) Close() error { return h.close(nil) }

// Lost returns a channel that is closed when the session has failed. Err then says why, and every operation
// fails with a *[vfs.LostError].
func (h *Host) Lost() <-chan struct{} { return h.lost }

// SyncsFiles reports whether the server can sync files.
func (h *Host) SyncsFiles() bool { return h.ext.fsync }

// Waiting reports whether a request is waiting for its answer.
func (h *Host) Waiting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.all, func(c *channel) bool { return c.busy.Load() > 0 })
}

// Fail ends the session because of err, unless it has ended, and gives up the host.
func (h *Host) Fail(err error) { _ = h.close(&vfs.LostError{Host: h.host, Err: err, Final: true}) }

// Err returns the *[vfs.LostError] that ended the session, or nil.
func (h *Host) Err() error { return h.failure() }

// resolve returns the path without links and dots of what p leads to, from the working directory of the session.
func (h *Host) resolve(p string) (string, attrs, error) {
	at, a, err := (&walk{s: h.session}).follow(h.home, p, true, false)
	return at, a, unwrapped(err)
}

func (h *Host) Stat(p string, how vfs.Resolve) (vfs.Attr, error) {
	op, dir, name := "stat", p, ""
	if up, last := path.Split(p); how == vfs.NoFollow && isName(last) {
		op, dir, name = "lstat", cmp.Or(up, "."), last
	}
	at, a, err := h.resolve(dir)
	if err == nil && name != "" {
		at = path.Join(at, name)
		a, err = h.lstat(at)
	}
	if err != nil {
		return vfs.Attr{}, pathError(op, p, err)
	}
	return h.attr(a, h.ids.of(at)), nil
}

// Resolve implements [vfs.Host].
func (h *Host) Resolve(p string) (string, error) {
	at, _, err := h.resolve(p)
	return at, pathError("resolve", p, err)
}

// Inside implements [vfs.Host] by paths alone.
func (h *Host) Inside(inner, outer string) (routes []string, inside bool, err error) {
	in, err := h.Resolve(inner)
	if err != nil {
		return nil, false, err
	}
	out, err := h.Resolve(outer)
	if err != nil || !isBelow(in, out) {
		return nil, false, err
	}
	return []string{strings.Trim(in[len(out):], "/")}, true, nil
}

// Open implements [vfs.Host]. Between the check of a link and its use, another link can be put in its place. The server
// decides about access times.
func (h *Host) Open(p string, o vfs.OpenOptions) (vfs.Dir, error) {
	w := &walk{s: h.session, o: o, distrust: o.Trusted && !o.Insecure}
	at, a, err := w.follow(h.home, p, true, o.Mkdir || o.MkdirAll)
	if err != nil {
		return nil, err
	}
	return h.session.openDir("open", p, at, known{attrs: a}, nil, w.distrust)
}

// Account implements [vfs.Host]. SFTP only has numbers.
func (h *Host) Account(a vfs.Account) (vfs.Account, error) { return a, errors.ErrUnsupported }

// Prepare implements [vfs.Host]. There is nothing to prepare.
func (h *Host) Prepare(vfs.Preparation) error { return nil }

// ClearUmask implements [vfs.Host]. The umask of the server is unknown and not changed; modes are set after entries are
// made. ClearUmask returns the umask that most servers have.
func (h *Host) ClearUmask() fs.FileMode { return 0o022 }

// Info implements [vfs.Host]. The user is assumed to be the owner of the directory that the session starts in, and a
// member only of that directory's group. If it is the root directory, both numbers are -1: owners are then not set, and
// files are not given to groups. SFTP does not report the system. What it preserves is a subset of what Linux preserves.
func (h *Host) Info() vfs.HostInfo { return vfs.HostInfo{System: "linux", User: h.user} }

package sftpfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"syscall"
	"time"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
)

// dir implements [vfs.Dir].
type dir struct {
	vfs.UnsupportedDir
	s           *session
	path        string // absolute, without links and dots
	checksLinks bool   // OpenDir with Follow does
}

// openDir opens the directory at a path without links, unless err says why not.
func (s *session) openDir(op, name, path string, k known, err error, checksLinks bool) (vfs.Dir, error) {
	switch {
	case err != nil:
	case k.isLink():
		err = syscall.ELOOP
	case !k.isDir():
		err = syscall.ENOTDIR
	case int(k.uid) == s.user.UID && k.uid != 0 && k.mode&0o400 == 0:
		err = syscall.EACCES // it cannot be listed, which the caller should learn now
	default:
		return &dir{s: s, path: path, checksLinks: checksLinks}, nil
	}
	return nil, pathError(op, name, err)
}

func (d *dir) Close() error { return nil }

// Place returns the path of the directory, without links and dots, and the number of the file system that it is on, or 0 if
// the server does not report that.
func (d *dir) Place() (path string, id vfs.ID, err error) {
	if !d.s.ext.statvfs {
		return d.path, id, nil
	}
	v, err := ask(d.s, func(c *sftp.Client) (*sftp.StatVFS, error) { return c.StatVFS(d.path) })
	if err == nil {
		id.Dev = v.Fsid
	}
	return d.path, id, d.s.failure()
}

func (d *dir) Caps() vfs.Caps {
	caps := vfs.CanMkdirAsync
	if d.s.ext.hardlink {
		caps |= vfs.CanLink
	}
	return caps
}

// Statfs implements [vfs.Dir] without asking the server.
func (d *dir) Statfs() (vfs.Volume, error) {
	return vfs.Volume{Network: true, Granularity: time.Second, TimesStay: d.s.ext.ordered}, nil
}

// at returns the path of an entry.
func (d *dir) at(name string) string {
	if name == "." {
		return d.path
	}
	return path.Join(d.path, name)
}

// errNotName returns the error for a name that no entry can have.
func errNotName() error { return fmt.Errorf("not a name: %w", syscall.EINVAL) }

// find returns what is known about an entry, or about the directory itself for ".", and asks the server unless that is
// enough.
func (d *dir) find(name string, enough func(known) bool) (known, error) {
	if name != "." && !isName(name) {
		return known{}, errNotName()
	}
	p := d.at(name)
	if err := d.s.making.take(p); err != nil {
		return known{}, unwrapped(err)
	}
	if k, ok := d.s.cache.get(p); ok && enough(k) {
		return k, nil
	}
	return d.s.look(p)
}

// What is enough for a caller of find: the type, attributes that this Host has not changed since, or only an answer of
// the server.
func aType(known) bool       { return true }
func unchanged(k known) bool { return !k.stale }
func nothing(known) bool     { return false }

// Statx implements [vfs.Dir]. It asks the server, except with StatxAll about the directory itself.
func (d *dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	switch {
	case want == vfs.StatxFollow:
		return d.statFollow(name)
	case want == vfs.StatxAll && name == ".":
		return d.stat(name, unchanged)
	case want == vfs.StatxID:
		return vfs.Attr{}, pathError("lstat", name, errors.ErrUnsupported)
	}
	return d.stat(name, nothing)
}

func (d *dir) stat(name string, enough func(known) bool) (vfs.Attr, error) {
	k, err := d.find(name, enough)
	if err != nil {
		return vfs.Attr{}, pathError("lstat", name, err)
	}
	return d.s.attr(k.attrs, d.s.ids.of(d.at(name))), nil
}

// listChunk is how many entries ReadDir yields at a time.
const listChunk = 256

// ReadDir implements [vfs.Dir]. If the server sends something that is not a name, or sends a name twice, it yields
// nothing.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	begun := d.s.cache.begin()
	infos, err := ask(d.s, func(c *sftp.Client) ([]fs.FileInfo, error) { return c.ReadDir(d.path) })
	if err != nil {
		return pathError("readdir", ".", err)
	}
	seen := make(map[string]bool, len(infos))
	for _, info := range infos {
		name := info.Name()
		_, err := attrsOf(info)
		if seen[name] || !isName(name) {
			err = fmt.Errorf("the server lists the name %.100q: %w", name, syscall.EINVAL)
		}
		if err != nil {
			return pathError("readdir", ".", err)
		}
		seen[name] = true
	}
	chunk := make([]vfs.Entry, 0, listChunk)
	for i, info := range infos {
		a, _ := attrsOf(info)
		p := d.at(info.Name())
		d.s.cache.learn(p, begun, known{attrs: a})
		f := &vfs.Facts{Attr: d.s.attr(a, d.s.ids.of(p))}
		chunk = append(chunk, vfs.Entry{Name: info.Name(), Type: f.Mode.Type(), Facts: f})
		infos[i] = nil
		if len(chunk) == listChunk || i == len(infos)-1 {
			if err := yield(chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return nil
}

// OpenDir implements [vfs.Dir]. It opens the parent by the path alone.
func (d *dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	at := d.at(name)
	var k known
	var err error
	switch how {
	case vfs.Parent:
		name, at = "..", path.Dir(d.path)
		k, err = d.s.look(at)
	case vfs.Follow:
		at, k.attrs, err = d.followLink(name, d.checksLinks)
	default:
		k, err = d.find(name, unchanged)
	}
	return d.s.openDir("open", name, at, k, err, d.checksLinks)
}

// followLink returns the path and the attributes of the entry called name, or of what it leads to if it is a symbolic
// link.
func (d *dir) followLink(name string, distrust bool) (string, attrs, error) {
	k, err := d.find(name, unchanged)
	if err != nil || !k.isLink() {
		return d.at(name), k.attrs, err
	}
	at, a, err := (&walk{s: d.s, distrust: distrust}).follow(d.path, name, true, false)
	return at, a, unwrapped(err)
}

func (d *dir) statFollow(name string) (vfs.Attr, error) {
	at, a, err := d.followLink(name, false)
	if err != nil {
		return vfs.Attr{}, pathError("stat", name, err)
	}
	return d.s.attr(a, d.s.ids.of(at)), nil
}

func (d *dir) Readlink(name string) (string, error) {
	if !isName(name) {
		return "", pathError("readlink", name, errNotName())
	}
	target, err := d.s.readlink(d.at(name))
	return target, pathError("readlink", name, err)
}

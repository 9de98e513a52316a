package sftpfs

import (
	"fmt"
	"io/fs"
	"path"
	"syscall"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
)

// dir implements [vfs.Dir].
type dir struct {
	vfs.UnsupportedDir
	s           *session
	path        string // absolute, without links and dots
	list        *listing
	checksLinks bool // FollowDir does
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
		return &dir{s: s, path: path, list: s.cache.open(path, k), checksLinks: checksLinks}, nil
	}
	return nil, pathError(op, name, err)
}

func (d *dir) Close() error {
	d.s.cache.close(d.path, d.list)
	return nil
}

func (d *dir) Caps() vfs.Caps {
	caps := vfs.CanFollow | vfs.CanRewrite | vfs.CanMkdirLate
	if d.s.ext.hardlink {
		caps |= vfs.CanLink
	}
	return caps
}

// Statfs implements [vfs.Dir] without asking the server.
func (d *dir) Statfs() (vfs.Volume, error) { return d.s.volume(), nil }

// at returns the path of an entry.
func (d *dir) at(name string) string {
	if name == "." {
		return d.path
	}
	return path.Join(d.path, name)
}

// errNotName is returned for a name that no entry can have.
var errNotName = fmt.Errorf("not a name: %w", syscall.EINVAL)

// find returns what is known about an entry, or about the directory itself for ".", and asks the server if necessary.
// If typeOnly is true, it does not ask again about what this Host has changed.
func (d *dir) find(name string, typeOnly bool) (known, error) {
	if name != "." && !isName(name) {
		return known{}, errNotName
	}
	if err := d.s.making.take(d.at(name)); err != nil {
		return known{}, unwrapped(err)
	}
	k, ok := d.s.cache.lookup(d.list, name)
	if ok && (typeOnly || !k.stale) {
		return k, nil
	}
	a, err := d.s.lstat(d.at(name))
	return known{attrs: a}, err
}

func (d *dir) Lstat(name string) (vfs.Attr, error) {
	k, err := d.find(name, false)
	if err != nil {
		return vfs.Attr{}, pathError("lstat", name, err)
	}
	return d.s.attr(k.attrs, d.s.ids.of(d.at(name))), nil
}

// Look implements [vfs.Dir].
func (d *dir) Look(name string) (vfs.Attr, error) {
	a, err := d.look(name)
	if err != nil {
		return vfs.Attr{}, pathError("lstat", name, err)
	}
	return d.s.attr(a, d.s.ids.of(d.at(name))), nil
}

// look asks the server for the attributes of an entry, or of the directory itself for ".", whatever is cached.
func (d *dir) look(name string) (attrs, error) {
	if name != "." && !isName(name) {
		return attrs{}, errNotName
	}
	p := d.at(name)
	if err := d.s.making.take(p); err != nil {
		return attrs{}, unwrapped(err)
	}
	a, err := d.s.lstat(p)
	if k, ok := d.s.cache.lookup(d.list, name); ok && (err != nil || k.attrs != a) {
		d.s.cache.changed(p, true) // by another process
	}
	return a, err
}

// listChunk is how many entries ReadDir yields at a time.
const listChunk = 256

// ReadDir implements [vfs.Dir]. If the server sends something that is not a name, or sends a name twice, it yields
// nothing.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	begun := d.s.cache.begin(d.list)
	infos, err := ask(d.s, func(c *sftp.Client) ([]fs.FileInfo, error) { return c.ReadDir(d.path) })
	if err != nil {
		return pathError("readdir", ".", err)
	}
	entries := make(map[string]known, len(infos))
	for _, info := range infos {
		name := info.Name()
		a, err := attrsOf(info)
		if _, twice := entries[name]; twice || !isName(name) {
			err = fmt.Errorf("the server lists the name %.100q: %w", name, syscall.EINVAL)
		}
		if err != nil {
			return pathError("readdir", ".", err)
		}
		entries[name] = known{attrs: a}
	}
	d.s.cache.fill(d.list, begun, entries)
	chunk := make([]vfs.Entry, 0, listChunk)
	for i, info := range infos {
		a, _ := attrsOf(info)
		f := &vfs.Facts{Attr: d.s.attr(a, d.s.ids.of(d.at(info.Name())))}
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

func (d *dir) OpenDir(name string) (vfs.Dir, error) {
	k, err := d.find(name, false)
	return d.s.openDir("open", name, d.at(name), k, err, d.checksLinks)
}

// OpenParent implements [vfs.Dir] by the path alone.
func (d *dir) OpenParent() (vfs.Dir, error) {
	p := path.Dir(d.path)
	a, err := d.s.lstat(p)
	return d.s.openDir("open", "..", p, known{attrs: a}, err, d.checksLinks)
}

// through returns the path and the attributes of the entry called name, or of what it leads to if it is a symbolic
// link.
func (d *dir) through(name string, distrust bool) (string, attrs, error) {
	k, err := d.find(name, false)
	if err != nil || !k.isLink() {
		return d.at(name), k.attrs, err
	}
	at, a, err := (&walk{s: d.s, distrust: distrust}).follow(d.path, name, true, false)
	return at, a, unwrapped(err)
}

func (d *dir) Stat(name string) (vfs.Attr, error) {
	at, a, err := d.through(name, false)
	if err != nil {
		return vfs.Attr{}, pathError("stat", name, err)
	}
	return d.s.attr(a, d.s.ids.of(at)), nil
}

func (d *dir) FollowDir(name string) (vfs.Dir, error) {
	at, a, err := d.through(name, d.checksLinks)
	return d.s.openDir("open", name, at, known{attrs: a}, err, d.checksLinks)
}

func (d *dir) Readlink(name string) (string, error) {
	if !isName(name) {
		return "", pathError("readlink", name, errNotName)
	}
	target, err := d.s.readlink(d.at(name))
	return target, pathError("readlink", name, err)
}

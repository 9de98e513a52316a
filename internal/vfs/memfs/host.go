package memfs

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// A Host is a computer whose only file system is an [FS], where absolute paths start. Its user is root.
type Host struct {
	FS *FS
	// Users and Groups are the numbers of the accounts by name. If both are nil, looking up accounts is unsupported.
	Users, Groups map[string]uint32
	// Boot is the BootID of [vfs.HostInfo].
	Boot string
}

// NewHost returns a host with a number, as [vfs.HostDev] takes it, and an empty FS. The numbers of the device and of
// the inodes on that host do not depend on the number of the host.
func NewHost(number uint8, m *FS) *Host {
	m.dev = vfs.HostDev(number, 1)
	m.root.Dev = m.dev
	return &Host{FS: m}
}

// at runs f on what p leads to, or on the entry itself.
func (h *Host) at(op, p string, follow bool, f func(d *memDir, n *kernel.Inode) error) error {
	root := &memDir{handle: handle{m: h.FS, kernel: h.FS.kernel, node: h.FS.root}}
	return root.do(op, p, func() error {
		dir, base := path.Split(strings.TrimRight(p, "/"))
		if follow || base == "" || base == "." || base == ".." {
			dir, base = p, "."
		}
		n, err := root.follow(dir)
		if err == nil && base != "." {
			n, err = root.lookup(n, base)
		}
		if err != nil {
			return err
		}
		return f(root, n)
	})
}

func (h *Host) Stat(p string, how vfs.Resolve) (a vfs.Attr, err error) {
	err = h.at("stat", p, how == vfs.Follow, func(_ *memDir, n *kernel.Inode) error { a = h.FS.kernel.Attr(n); return nil })
	return a, err
}

func (h *Host) Resolve(p string) (resolved string, err error) {
	err = h.at("resolve", p, true, func(_ *memDir, n *kernel.Inode) error { resolved = h.FS.pathOf(n); return nil })
	return resolved, err
}

// pathOf returns a path of an inode.
func (m *FS) pathOf(n *kernel.Inode) string {
	var below func(dir *kernel.Inode, p string) string
	below = func(dir *kernel.Inode, p string) string {
		for name, e := range dir.Entries.All() {
			if e == n {
				return p + "/" + name
			}
			if found := below(e, p+"/"+name); found != "" {
				return found
			}
		}
		return ""
	}
	if n == m.root {
		return "/"
	}
	return below(m.root, "")
}

func (h *Host) Inside(inner, outer string) (routes []string, inside bool, err error) {
	in, err := h.Resolve(inner)
	out, oerr := h.Resolve(outer)
	if err = errors.Join(err, oerr); err != nil {
		return nil, false, err
	}
	if in == out {
		return []string{""}, true, nil
	}
	if rel, ok := strings.CutPrefix(in, strings.TrimSuffix(out, "/")+"/"); ok {
		return []string{rel}, true, nil
	}
	return nil, false, nil
}

func (h *Host) Open(p string, o vfs.OpenOptions) (d vfs.Dir, err error) {
	err = h.at("open", p, true, func(root *memDir, n *kernel.Inode) error {
		d, err = root.openDir(n, ".")
		return err
	})
	up, name := path.Dir(p), path.Base(p)
	if !errors.Is(err, fs.ErrNotExist) || !o.Mkdir && !o.MkdirAll || up == p {
		return d, err
	}
	o.Mkdir = false
	in, err := h.Open(up, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := vfs.Mkdir(in, name, o.Perm&^umask); err != nil {
		return nil, err
	}
	return in.OpenDir(name, vfs.NoFollow)
}

const umask = 0o022

func (h *Host) Prepare(vfs.Preparation) error { return nil }
func (h *Host) ClearUmask() fs.FileMode       { return umask }

func (h *Host) Account(a vfs.Account) (vfs.Account, error) {
	if h.Users == nil && h.Groups == nil {
		return a, errors.ErrUnsupported
	}
	accounts := h.Users
	if a.Kind == vfs.GroupAccount {
		accounts = h.Groups
	}
	for name, id := range accounts {
		if name == a.Name || a.Name == "" && id == a.ID {
			return vfs.Account{Kind: a.Kind, ID: id, Name: name}, nil
		}
	}
	return a, &fs.PathError{Op: "account", Path: cmp.Or(a.Name, strconv.FormatUint(uint64(a.ID), 10)), Err: fs.ErrNotExist}
}

func (h *Host) Info() vfs.HostInfo {
	info := vfs.HostInfo{System: "linux", BootID: h.Boot}
	if _, ok := h.FS.kernel.(*kernel.XNU); ok {
		info.System = "darwin"
	}
	return info
}

// Package unionfs shows several directories as one to read from, as rsync merges sources whose contents meet.
//
// Where several members have an entry of one name, that of the first is shown, but a directory comes before anything
// else. Directories of one name are shown as one. What a directory itself is, and what is made in it, is a matter of its first
// member. Below a directory that only one member has, nothing of this package remains, so that reading costs nothing
// more there. A union keeps the names of its entries in memory once it has been listed.
package unionfs

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"syscall"

	"psync/internal/vfs"
)

// A List names the entries of a directory that take part, given its path below the union. If all is true, everything
// below the directory does.
type List interface {
	Names(dir string) (names []string, all bool)
}

// A Member is one of the directories of a union.
type Member struct {
	Dir  vfs.Dir
	List List  // nil: everything takes part
	err  error // why there is no Dir
}

// Options say what entries count as where several members have one.
type Options struct {
	Follow bool // a link to a directory counts as one
	// Hidden reports whether an entry will be left out, so that it comes after others. nil: none will.
	Hidden func(path string, isDir bool) bool
	// Dev, unless it is 0, is a file system. Directories on others come after those on this one, and are not shown as one
	// with them.
	Dev uint64
}

// New returns the union of members, of which there is at least one. Closing it closes them. The first member without a
// List is what the union itself is.
func New(members []Member, o Options) *Dir {
	self := max(slices.IndexFunc(members, func(m Member) bool { return m.List == nil }), 0)
	return &Dir{Dir: members[self].Dir, members: members, options: &o}
}

// A Dir is a union of directories.
type Dir struct {
	vfs.Dir // which the union itself is
	members []Member
	path    string // below the root of the union
	options *Options

	mu    sync.Mutex     // guards names
	names map[string]int // the members that entries belong to, as far as known
}

// Dirs returns the directories that could be opened.
func (d *Dir) Dirs() []vfs.Dir {
	var dirs []vfs.Dir
	for _, m := range d.members {
		if m.err == nil {
			dirs = append(dirs, m.Dir)
		}
	}
	return dirs
}

// Includes reports whether d is a union with a member that has the identity id.
func Includes(d vfs.Dir, id vfs.ID) bool {
	u, ok := d.(*Dir)
	return ok && slices.ContainsFunc(u.Dirs(), func(m vfs.Dir) bool {
		attr, err := vfs.Lstat(m, ".")
		return err == nil && attr.ID() == id
	})
}

// has reports whether an entry of the directory at path takes part.
func (m *Member) has(path, name string) bool {
	if m.List == nil {
		return true
	}
	names, all := m.List.Names(path)
	return all || slices.Contains(names, name)
}

// Statx returns for "." the attributes of the first member, with the latest change time of all.
func (d *Dir) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	if name != "." {
		return get(d, name, func(m vfs.Dir) (vfs.Attr, error) { return m.Statx(name, want) })
	}
	self, err := d.Dir.Statx(name, want)
	for _, m := range d.Dirs() {
		if err == nil && want != vfs.StatxID && m != d.Dir {
			var attr vfs.Attr
			attr, err = m.Statx(name, want)
			self.Ctime = max(self.Ctime, attr.Ctime)
		}
	}
	return self, err
}

// Node implements [vfs.Dir].
func (d *Dir) Node(name string) (vfs.Node, error) {
	return get(d, name, func(m vfs.Dir) (vfs.Node, error) { return m.Node(name) })
}

// Readlink implements [vfs.Dir].
func (d *Dir) Readlink(name string) (string, error) {
	return get(d, name, func(m vfs.Dir) (string, error) { return m.Readlink(name) })
}

// OpenFile implements [vfs.Dir].
func (d *Dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode.Writes() {
		return d.Dir.OpenFile(name, mode, perm)
	}
	return get(d, name, func(m vfs.Dir) (vfs.File, error) { return m.OpenFile(name, mode, perm) })
}

// Remove removes the entry that is shown. An entry of another member is shown then.
func (d *Dir) Remove(name string, only *vfs.Premise) error {
	_, err := get(d, name, func(m vfs.Dir) (struct{}, error) { return struct{}{}, m.Remove(name, only) })
	d.remember(name, unknown)
	return err
}

// Caps returns those that all members have, without those that operate on two directories or below one.
func (d *Dir) Caps() vfs.Caps {
	caps := d.Dir.Caps()
	for _, m := range d.Dirs() {
		caps &= m.Caps()
	}
	return caps &^ (vfs.CanCountTree | vfs.CanCopyPlain)
}

// CountTree counts nothing.
func (d *Dir) CountTree(context.Context) (files, bytes int64, known bool) { return 0, 0, false }

// Close closes all members.
func (d *Dir) Close() error {
	var errs []error
	for _, m := range d.Dirs() {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}

// OpenDir implements [vfs.Dir]. A member whose directory cannot be opened makes listings of the result, and of what is
// below it, end with the error.
func (d *Dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	if how == vfs.Parent {
		return d.Dir.OpenDir(name, how)
	}
	if how == vfs.Follow && !d.options.Follow { // no link is shown where a member has a directory
		if sub, err := d.OpenDir(name, vfs.NoFollow); !isNotDir(err) {
			return sub, err
		}
	}
	sub := &Dir{path: vfs.Join(d.path, name), options: d.options}
	var failed, other error
	for _, m := range d.members {
		if !m.has(d.path, name) {
			continue
		}
		if m.err == nil {
			m.Dir, m.err = m.Dir.OpenDir(name, how)
		}
		if isNotDir(m.err) {
			other = cmp.Or(other, m.err)
			continue
		}
		failed = cmp.Or(failed, m.err)
		if m.List != nil {
			if _, all := m.List.Names(sub.path); all {
				m.List = nil
			}
		}
		sub.members = append(sub.members, m)
	}
	sub.leaveMounts()
	dirs := sub.Dirs()
	switch {
	case len(dirs) == 0:
		return nil, cmp.Or(failed, other, notExist("open", name))
	case len(sub.members) == 1 && sub.members[0].List == nil:
		return dirs[0], nil
	}
	sub.Dir = dirs[0]
	return sub, nil
}

// leaveMounts closes the members on other file systems if there is one that is not.
func (d *Dir) leaveMounts() {
	isMount := func(m Member) bool { return m.err == nil && d.isMount(m.Dir, ".") }
	if d.options.Dev == 0 || len(d.members) < 2 || !slices.ContainsFunc(d.members, func(m Member) bool { return !isMount(m) }) {
		return
	}
	d.members = slices.DeleteFunc(d.members, func(m Member) bool { return isMount(m) && m.Dir.Close() == nil })
}

// isMount reports whether an entry of a directory is on another file system than it should be.
func (d *Dir) isMount(in vfs.Dir, name string) bool {
	if d.options.Dev == 0 {
		return false
	}
	attr, err := vfs.Lstat(in, name)
	return err == nil && attr.Dev != d.options.Dev
}

// isNotDir reports whether an error from opening a directory says that there is none of that name.
func isNotDir(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

func notExist(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

package sftpfs

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/pkg/sftp"

	"psync/internal/vfs"
)

// Make implements [vfs.Dir].
func (d *dir) Make(name string, s vfs.Spec) error {
	switch {
	case !isName(name):
		return pathError(s.Op(), name, errNotName())
	case s.Mode.IsDir() && s.Async:
		d.mkdirAsync(name, s.Mode.Perm())
		return nil
	case s.Mode.IsDir():
		return d.mkdir(name, s.Mode.Perm())
	case s.Mode.Type() == fs.ModeSymlink:
		return d.symlink(s.Target, name)
	}
	return pathError(s.Op(), name, errors.ErrUnsupported)
}

func (d *dir) mkdir(name string, perm fs.FileMode) error {
	return pathError("mkdir", name, d.s.mkdir(d.at(name), perm, false))
}

func (d *dir) symlink(target, name string) error {
	switch {
	case target == "":
		return pathError("symlink", name, syscall.ENOENT)
	case strings.Contains(target, "\x00"):
		return pathError("symlink", name, syscall.EINVAL)
	}
	return d.add("symlink", name, 0o120000, func(c *sftp.Client, p string) error { return c.Symlink(target, p) })
}

// sibling returns the directory of this Host behind another handle. If one of them belongs to a session that is lost, that
// is the error.
func (d *dir) sibling(other vfs.Dir) (*dir, error) {
	o, ok := vfs.As[*dir](other)
	switch {
	case !ok:
		return nil, errors.ErrUnsupported
	case o.s != d.s:
		return nil, cmp.Or(d.s.failure(), o.s.failure(), errors.ErrUnsupported)
	}
	return o, nil
}

// Link implements [vfs.Dir]. It refuses to link symbolic links, because a server may follow them.
func (d *dir) Link(oldDir vfs.Dir, oldname, newname string) error {
	from, err := d.sibling(oldDir)
	if err == nil && !d.s.ext.hardlink {
		err = errors.ErrUnsupported
	}
	if err == nil && !(isName(oldname) && isName(newname)) {
		err = errNotName()
	}
	if err != nil {
		return pathError("link", newname, err)
	}
	k, err := from.find(oldname, aType)
	switch {
	case err != nil:
	case k.isDir():
		err = syscall.EPERM
	case k.isLink():
		if _, err = d.find(newname, aType); err == nil {
			err = syscall.EEXIST
		} else if errors.Is(err, fs.ErrNotExist) {
			err = errors.ErrUnsupported
		}
	default:
		err = d.add("link", newname, k.mode, func(c *sftp.Client, p string) error { return c.Link(from.at(oldname), p) })
		if err == nil || d.s.failure() != nil {
			d.s.ids.link(d.at(newname)) // in the next session, too, if this one is lost
		}
		return err
	}
	return pathError("link", newname, err)
}

// add calls f to make an entry of type typ.
func (d *dir) add(op, name string, typ uint32, f func(c *sftp.Client, path string) error) error {
	p := d.at(name)
	if err := d.s.do(func(c *sftp.Client) error { return f(c, p) }); err != nil {
		return d.makeError(op, name, err)
	}
	d.s.ids.gone(p)
	d.s.cache.made(p, ofType(typ))
	return nil
}

// Rename implements [vfs.Dir].
func (d *dir) Rename(oldname string, newDir vfs.Dir, newname string, only *vfs.Premise) error {
	op, to := "rename", d
	if newDir != nil {
		var err error
		if to, err = d.sibling(newDir); err != nil {
			return pathError("move", oldname, err)
		}
	}
	switch {
	case only != nil:
		k, err := to.find(newname, nothing)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !to.holds(*only, k.attrs) {
			err = vfs.ErrChanged
		}
		if err != nil {
			return pathError(op, newname, err)
		}
	case to != d:
		op = "move"
	}
	return d.rename(op, oldname, to, newname)
}

func (d *dir) rename(op, oldname string, to *dir, newname string) error {
	if !isName(oldname) || !isName(newname) {
		return pathError(op, oldname, errNotName())
	}
	k, err := d.find(oldname, aType)
	if err != nil {
		return pathError(op, oldname, err)
	}
	old, new := d.at(oldname), to.at(newname)
	if old == new {
		return nil
	}
	if d.s.ext.posixRename {
		err = d.s.do(func(c *sftp.Client) error { return c.PosixRename(old, new) })
	} else {
		err = d.s.renameOver(old, new)
	}
	if err != nil {
		d.s.cache.changed(old, false)
		d.s.cache.changed(new, false)
		if d.s.failure() != nil {
			d.s.ids.renamed(old, new) // which it may have been
		}
		return d.renameError(op, oldname, to, newname, err)
	}
	if d.s.ids.isLink(old) && d.s.ext.posixRename {
		// If both are names of one file, rename(2) has left them as they are.
		err = d.s.do(func(c *sftp.Client) error { return c.Remove(old) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return pathError(op, oldname, err)
		}
	}
	d.s.ids.renamed(old, new)
	d.s.ids.gone(old)
	d.s.cache.removed(old, k.isDir())
	d.s.cache.removed(new, k.isDir())
	d.s.cache.made(new, ofType(k.mode))
	return nil
}

// renameOver renames an entry on a server without posix-rename, which replaces nothing. The entry that is replaced is
// missing for a moment: it is kept under another name until the rename has succeeded, because a server may allow
// entries to be removed but not to be renamed.
func (s *session) renameOver(old, new string) error {
	rename := func(from, to string) error {
		return s.do(func(c *sftp.Client) error { return c.Rename(from, to) })
	}
	err := rename(old, new)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	a, lerr := s.lstat(old)
	b, rerr := s.lstat(new)
	if lerr != nil || rerr != nil || a.isDir() || b.isDir() {
		return err
	}
	backup := path.Join(path.Dir(new), ".psync-replaced-"+rand.Text())
	done := s.replaced.begin(new, backup)
	defer func() {
		if s.failure() == nil {
			done()
		}
	}()
	if rename(new, backup) != nil {
		return err
	}
	if err := rename(old, new); err != nil {
		if undo := rename(backup, new); undo != nil {
			err = fmt.Errorf("%w; what was to be replaced is now %s", err, path.Base(backup))
		}
		return err
	}
	return s.do(func(c *sftp.Client) error { return c.Remove(backup) })
}

// Remove implements [vfs.Dir]. Package sftp and some servers also remove a directory when asked to remove a file, and
// vice versa, so the type is looked up first unless it is known. The protocol has no conditional removal, so with a
// premise the attributes are asked for right before. An entry that changes while the answer and the removal are in
// flight, for one round trip, is removed; so is one of the same size and type that was changed within the same second.
func (d *dir) Remove(name string, only *vfs.Premise) error {
	if only == nil {
		return d.remove("remove", name, false, (*sftp.Client).Remove)
	}
	k, err := d.find(name, nothing)
	a := k.attrs
	if err == nil && only.Follow && a.isLink() {
		_, a, err = (&walk{s: d.s}).follow(d.path, name, true, false)
		err = unwrapped(err)
	}
	if err == nil && !d.holds(*only, a) {
		err = vfs.ErrChanged
	}
	if err != nil {
		return pathError("remove", name, err)
	}
	return d.removeKnown("remove", name, k.attrs, false, (*sftp.Client).Remove)
}

// holds reports whether an entry with the attributes a is what a premise says. It ignores Ino: here, identity is the
// path.
func (d *dir) holds(only vfs.Premise, a attrs) bool {
	only.Ino = 0
	return only.Holds(d.s.attr(a, 0))
}

func (d *dir) Rmdir(name string) error {
	return d.remove("rmdir", name, true, (*sftp.Client).RemoveDirectory)
}

func (d *dir) remove(op, name string, dirs bool, remove func(*sftp.Client, string) error) error {
	if !isName(name) {
		return pathError(op, name, errNotName())
	}
	k, err := d.find(name, aType)
	if err != nil {
		return pathError(op, name, err)
	}
	return d.removeKnown(op, name, k.attrs, dirs, remove)
}

// removeKnown is remove for an entry that has, or had, the attributes a.
func (d *dir) removeKnown(op, name string, a attrs, dirs bool, remove func(*sftp.Client, string) error) error {
	switch {
	case a.isDir() && !dirs:
		return pathError(op, name, syscall.EISDIR)
	case !a.isDir() && dirs:
		return pathError(op, name, syscall.ENOTDIR)
	}
	p := d.at(name)
	err := d.s.do(func(c *sftp.Client) error { return remove(c, p) })
	d.s.cache.removed(p, false)
	if err == nil {
		d.s.ids.gone(p)
		return nil
	}
	err = d.s.cause(err, d.path, 0)
	switch {
	case dirs && errors.Is(err, errFailure):
		err = syscall.ENOTEMPTY
	case !dirs && errors.Is(err, fs.ErrNotExist):
		// Package sftp also tries RMDIR, and then reports the error of STAT, which follows links.
		if _, lerr := d.s.lstat(p); lerr == nil {
			err = syscall.EACCES
		} else if !errors.Is(lerr, fs.ErrNotExist) {
			err = lerr
		}
	}
	return pathError(op, name, err)
}

// Set implements [vfs.Dir].
func (d *dir) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		switch c.Kind {
		case vfs.OwnerChange:
			return d.lchown(name, c.UID, c.GID)
		case vfs.ModeChange:
			k, err := d.find(name, aType)
			return d.setattr("chmod", name, k, err, func(conn *sftp.Client, p string) error { return conn.Chmod(p, c.Mode) })
		case vfs.TimesChange:
			return d.chtimes(name, c.Atime, c.Mtime)
		}
		return pathError(c.Kind.String(), name, errors.ErrUnsupported)
	})
}

// setattr calls f to change the attributes of an entry that is not a symbolic link.
func (d *dir) setattr(op, name string, k known, err error, f func(c *sftp.Client, path string) error) error {
	if err == nil && k.isLink() {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return pathError(op, name, err)
	}
	p := d.at(name)
	d.s.making.wait(p)
	err = d.s.do(func(c *sftp.Client) error { return f(c, p) })
	d.s.cache.changed(p, op == "chtimes")
	return attrError(op, name, d.s.cause(err, p, 0))
}

func (d *dir) lchown(name string, uid, gid int) error {
	enough := unchanged
	if uid >= 0 && gid >= 0 {
		enough = aType
	}
	k, err := d.find(name, enough)
	if err == nil && uid < 0 && gid < 0 {
		return nil
	}
	uid, gid = k.owners(uid, gid)
	return d.setattr("lchown", name, k, err, func(c *sftp.Client, p string) error { return c.Chown(p, uid, gid) })
}

// chtimes sets times. The protocol sets both times or none, so a time that must stay is asked for first. Only
// an entry that this Host has made gets its modification time for both.
func (d *dir) chtimes(name string, atime, mtime time.Time) error {
	k, err := d.find(name, aType)
	if err == nil && atime.IsZero() && mtime.IsZero() {
		return nil
	}
	switch {
	case err != nil || !atime.IsZero() && !mtime.IsZero():
	case k.made && atime.IsZero():
		atime = mtime
	default:
		k, err = d.find(name, unchanged)
	}
	atime, aerr := timeOr(atime, k.atime)
	mtime, merr := timeOr(mtime, k.mtime)
	return d.setattr("chtimes", name, k, cmp.Or(err, aerr, merr), func(c *sftp.Client, p string) error { return c.Chtimes(p, atime, mtime) })
}

// SyncVolume implements [vfs.Dir].
func (d *dir) SyncVolume() error {
	return pathError("sync", ".", fmt.Errorf("SFTP has no request to sync a file system: %w", errors.ErrUnsupported))
}

// makeError is pathError for an operation that makes name.
func (d *dir) makeError(op, name string, err error) error {
	if errors.Is(err, errFailure) {
		if _, lerr := d.s.lstat(d.at(name)); lerr == nil {
			err = syscall.EEXIST
		} else {
			err = d.s.cause(err, d.path, 0)
		}
	}
	return pathError(op, name, err)
}

// renameError is pathError for a rename.
func (d *dir) renameError(op, oldname string, to *dir, newname string, err error) error {
	if !errors.Is(err, errFailure) {
		return pathError(op, oldname, err)
	}
	from, ferr := d.s.lstat(d.at(oldname))
	there, terr := d.s.lstat(to.at(newname))
	switch {
	case ferr != nil:
		err = ferr
	case terr == nil && there.isDir() && !from.isDir():
		err = syscall.EISDIR
	case terr == nil && !there.isDir() && from.isDir():
		err = syscall.ENOTDIR
	case terr == nil && there.isDir():
		err = syscall.ENOTEMPTY
	case from.isDir() && isBelow(to.path, d.at(oldname)):
		err = syscall.EINVAL
	case d.s.onOtherVolume(d.path, to.path):
		err = fmt.Errorf("%w: %w", errors.ErrUnsupported, syscall.EXDEV)
	default:
		err = d.s.cause(err, to.path, 0)
	}
	return pathError(op, oldname, err)
}

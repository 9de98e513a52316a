// Package plainfs has a directory copy plain files and empty directories, and check whether files are equal, by the general operations of both
// directories, so that these can be watched, or fail. Only tests import it.
package plainfs

import (
	"io"
	"io/fs"
	"slices"
	"sync/atomic"
	"time"

	"psync/internal/vfs"
)

// New returns d with CopyPlain and QuickCheck. It is on a local file system that keeps attributes as they
// are set. Each entry that is copied, or found equal, is added to done, unless that is nil.
//
// The source's files are those of a test, so they have changed just now. Whether they change while they are read is
// therefore found out by looking twice.
func New(d vfs.Dir, done *atomic.Int64) vfs.Dir { return &dir{d, done} }

type dir struct {
	vfs.Dir
	done *atomic.Int64
}

// Unwrap returns the Dir within.
func (d *dir) Unwrap() vfs.Dir { return d.Dir }

func (d *dir) Caps() vfs.Caps { return d.Dir.Caps() | vfs.CanCopyPlain }

func (d *dir) Statfs() (vfs.Volume, error) {
	return vfs.Volume{KeepsAttrs: true}, nil
}

func (d *dir) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return &dir{sub, d.done}, nil
}

// CopyPlain implements [vfs.Dir].
func (d *dir) CopyPlain(src vfs.Dir, name string, o *vfs.PlainOptions) (int64, error) {
	if o.Dir != nil {
		return 0, d.copyEmptyDir(src, name, o)
	}
	from, err := src.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		return 0, vfs.ErrNotPlain
	}
	defer vfs.CloseUnwritten(from)
	attr, n, ok := read(from, o)
	if !ok {
		return attr.Size, vfs.ErrNotPlain
	}
	to, err := d.Dir.OpenFile(name, vfs.Create, attr.Mode)
	if err != nil {
		return 0, err
	}
	made, _ := vfs.Stat(to) // without an identity, the file is not removed
	var atime time.Time     // the copy keeps the one it has
	if o.Atime {
		atime = attr.Atime
	}
	if _, err = to.WriteAt(o.Buf[:n], 0); err == nil && (o.Mtime || o.Atime) {
		err = vfs.Chtimes(to, atime, attr.Mtime)
	}
	if err == nil && attr.Mode&o.Umask != 0 {
		err = vfs.Chmod(to, attr.Mode)
	}
	if err = vfs.JoinErrors(err, to.Close()); err != nil {
		return 0, &vfs.PartialError{ID: made.ID(), Err: err}
	}
	d.count()
	return attr.Size, nil
}

// copyEmptyDir is CopyPlain of a directory.
func (d *dir) copyEmptyDir(src vfs.Dir, name string, o *vfs.PlainOptions) error {
	from, err := src.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return vfs.ErrNotPlain
	}
	defer from.Close()
	attr, err := vfs.Lstat(from, ".")
	if err != nil || !isPlainDir(from, attr, o) {
		return vfs.ErrNotPlain
	}
	if err := vfs.Mkdir(d.Dir, name, attr.Mode); err != nil {
		return err
	}
	if o.Dir.Mtime {
		if err := vfs.Chtimes(vfs.In(d.Dir, name), time.Time{}, attr.Mtime); err != nil {
			return &vfs.PartialError{Err: err}
		}
	}
	d.count()
	return nil
}

// isPlainDir reports whether a directory is plain, and nothing is in it.
func isPlainDir(d vfs.Dir, attr vfs.Attr, o *vfs.PlainOptions) bool {
	if attr.Mode&^fs.ModePerm != fs.ModeDir || attr.Dev != o.Dir.Dev || o.Dir.Except(attr.ID()) ||
		o.Dir.Mtime && !vfs.UsualTime(attr.Mtime.Unix()) ||
		o.Owned && (attr.UID != o.UID || attr.GID != o.GID) || o.Dir.NoXattrs && entryHasXattrs(d, ".", o.IgnoresXattr) {
		return false
	}
	return d.ReadDir(func([]vfs.Entry) error { return fs.ErrExist }) == nil
}

func (d *dir) count() {
	if d.done != nil {
		d.done.Add(1)
	}
}

// read reads a file into o.Buf, and reports whether it is plain.
func read(f vfs.File, o *vfs.PlainOptions) (attr vfs.Attr, n int, ok bool) {
	attr, err := vfs.Stat(f)
	if err != nil || attr.Mode.Type() != 0 {
		return attr, 0, false
	}
	n, err = f.ReadAt(o.Buf, 0)
	if err != io.EOF || int64(n) != attr.Size {
		return attr, 0, false
	}
	after, err := vfs.Stat(f)
	if o.Atime {
		after.Atime = attr.Atime
	}
	if err != nil || after != attr || attr.Nlink > 1 || attr.Mode&^fs.ModePerm != 0 ||
		(o.Mtime || o.Atime) && !vfs.UsualTime(attr.Mtime.Unix()) || o.Atime && !vfs.UsualTime(attr.Atime.Unix()) || o.Owned && (attr.UID != o.UID || attr.GID != o.GID) {
		return attr, 0, false
	}
	return attr, n, o.IgnoresXattr == nil || !hasXattrs(f, o.IgnoresXattr)
}

// hasXattrs reports whether an entry has, or may have, an extended attribute that is not ignored.
func hasXattrs(n vfs.Node, ignored func(name string) bool) bool {
	names, err := n.Xattrs(true)
	return err != nil || slices.ContainsFunc(names, func(x string) bool { return !ignored(x) })
}

// QuickCheck implements [vfs.Dir].
func (d *dir) QuickCheck(src vfs.Dir, name string, o *vfs.QuickCheckOptions) (int64, bool) {
	there, err := vfs.Lstat(d.Dir, name)
	if err != nil {
		return 0, false
	}
	attr, err := vfs.Lstat(src, name)
	if err != nil || attr.Mode&^fs.ModePerm != 0 || attr.Mode != there.Mode || attr.Size != there.Size ||
		!attr.Mtime.Equal(there.Mtime) || attr.UID != there.UID || attr.GID != there.GID || o.OneName && max(attr.Nlink, there.Nlink) > 1 {
		return attr.Size, false
	}
	for _, in := range []vfs.Dir{src, d.Dir} {
		if o.NoXattrs && entryHasXattrs(in, name, o.IgnoresXattr) {
			return attr.Size, false
		}
	}
	d.count()
	return attr.Size, true
}

func entryHasXattrs(in vfs.Dir, name string, ignored func(name string) bool) bool {
	n, err := in.Node(name)
	if err != nil {
		return true
	}
	defer vfs.CloseUnwritten(n)
	return hasXattrs(n, ignored)
}

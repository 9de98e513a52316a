//go:build darwin || freebsd

package localfs

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// unopened implements [vfs.Node] by name, for an entry that was not opened. There
// are no calls for extended attributes that are relative to a directory.
type unopened struct {
	vfs.UnsupportedNode
	dir  *dir
	name string
	err  error // why there are no extended attributes
}

func (n *unopened) Stat() (vfs.Attr, error)              { return n.dir.Lstat(n.name) }
func (n *unopened) Chown(uid, gid int) error             { return n.dir.Lchown(n.name, uid, gid) }
func (n *unopened) Chmod(mode fs.FileMode) error         { return n.dir.Chmod(n.name, mode) }
func (n *unopened) Chtimes(atime, mtime time.Time) error { return n.dir.Chtimes(n.name, atime, mtime) }
func (n *unopened) Close() error                         { return nil }
func (n *unopened) Xattrs(bool) ([]string, error)        { return nil, n.without("listxattr") }
func (n *unopened) Xattr(string) ([]byte, error)         { return nil, n.without("getxattr") }
func (n *unopened) SetXattr(string, []byte) error        { return n.without("setxattr") }
func (n *unopened) RemoveXattr(string) error             { return n.without("removexattr") }
func (n *unopened) without(op string) error              { return pathError(op, n.name, n.err) }

func (n *unopened) SetBtime(t time.Time) error {
	ts, err := unix.TimeToTimespec(t)
	if err == nil {
		err = noBtime(sys.SetBtimeAt(n.dir.fd, n.name, ts))
	}
	return pathError("setbtime", n.name, err)
}

func (n *unopened) Flags() (uint32, error) {
	a, err := n.Stat()
	return a.Flags, err
}

func (n *unopened) SetFlags(flags uint32) error {
	return pathError("chflags", n.name, sys.Lchflagsat(n.dir.fd, n.name, flags))
}

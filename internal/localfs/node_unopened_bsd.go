//go:build darwin || freebsd

package localfs

import (
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

func (n *unopened) Statx(vfs.StatxWant) (vfs.Attr, error) { return vfs.Lstat(n.dir, n.name) }
func (n *unopened) Close() error                          { return nil }
func (n *unopened) Xattrs(bool) ([]string, error)         { return nil, n.without("listxattr") }
func (n *unopened) Xattr(string) ([]byte, error)          { return nil, n.without("getxattr") }
func (n *unopened) without(op string) error               { return vfs.PathError(op, n.name, n.err) }

// Set implements [vfs.Node].
func (n *unopened) Set(changes []vfs.Change) []error { return vfs.SetEach(changes, n.set) }

func (n *unopened) set(c *vfs.Change) error {
	switch c.Kind {
	case vfs.BtimeChange:
		return n.setBtime(c.Btime)
	case vfs.FlagsChange:
		return vfs.PathError("chflags", n.name, sys.Lchflagsat(n.dir.fd, n.name, c.Flags))
	case vfs.XattrChange, vfs.XattrRemoval, vfs.XattrPiece:
		return n.without(c.Kind.String())
	}
	return n.dir.set(n.name, c)
}

func (n *unopened) setBtime(t time.Time) error {
	ts, err := unix.TimeToTimespec(t)
	if err == nil {
		err = noBtime(sys.SetBtimeAt(n.dir.fd, n.name, ts))
	}
	return vfs.PathError("setbtime", n.name, err)
}

func (n *unopened) Flags() (uint32, error) {
	a, err := vfs.Stat(n)
	return a.Flags, err
}

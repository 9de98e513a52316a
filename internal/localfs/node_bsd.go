//go:build darwin || freebsd

package localfs

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// openNode returns an entry as a Node. Since no path can be trusted, an entry is opened if that does no harm. Opening a
// device may do harm, and opening fifos and sockets is of no use. An entry that the user may not read cannot be opened
// either.
func (d *dir) openNode(name string) (vfs.Node, error) {
	a, err := vfs.Lstat(d, name)
	if err != nil {
		return nil, err
	}
	if a.Mode.Type()&^nodeTypes != 0 {
		return &unopened{dir: d, name: name, err: errors.ErrUnsupported}, nil
	}
	fd, err := sys.Openat(d.fd, name, unix.O_RDONLY|nodeFlags|nonBlocking, 0)
	if err == unix.EACCES {
		return &unopened{dir: d, name: name, err: err}, nil
	}
	if err != nil {
		return nil, vfs.PathError("open", name, err)
	}
	return &file{fd: fd, name: name}, nil
}

// Node implements [vfs.Dir].
func (d *dir) Node(name string) (vfs.Node, error) {
	if err := check("open", name); err != nil {
		return nil, err
	}
	if name == "." {
		return self{&file{fd: d.fd, name: name}}, nil
	}
	return d.node(name)
}

// self is the Node of a directory that was already open, and stays open when the Node is closed.
type self struct{ *file }

func (self) Close() error { return nil }

// setExtended makes changes that not every file system supports.
func (f *file) setExtended(c *vfs.Change) error {
	switch c.Kind {
	case vfs.BtimeChange:
		return f.setBtime(c.Btime)
	case vfs.FlagsChange:
		return call("chflags", f.name, func() error { return unix.Fchflags(f.fd, int(c.Flags)) })
	case vfs.XattrChange:
		return f.setXattr(c.Xattr, c.Value)
	case vfs.XattrPiece:
		return f.writeXattrAt(c.Xattr, c.Value, c.Off)
	case vfs.XattrRemoval:
		return f.removeXattr(c.Xattr)
	}
	return vfs.PathError(c.Kind.String(), f.name, errors.ErrUnsupported)
}

func (f *file) setBtime(t time.Time) error {
	ts, err := unix.TimeToTimespec(t)
	if err == nil {
		err = noBtime(sys.SetBtime(f.fd, ts))
	}
	return vfs.PathError("setbtime", f.name, err)
}

// noBtime marks the error that NFS and old SMB return when there is no creation time.
func noBtime(err error) error {
	if err == unix.EINVAL {
		return marked(err)
	}
	return err
}

func (f *file) Flags() (uint32, error) {
	a, err := vfs.Stat(f)
	return a.Flags, err
}

func (f *file) Xattrs(acls bool) ([]string, error) {
	names, err := sys.Flistxattr(f.fd)
	if acls {
		names, err = withACLs(names, err, func() ([]string, error) { return sys.ACLs(f.fd) })
	}
	return names, vfs.PathError("listxattr", f.name, err)
}

// withACLs adds the ACLs of an entry to the names of its extended attributes, err being why there are none. It adds them
// even if the file system has no extended attributes.
func withACLs(names []string, err error, acls func() ([]string, error)) ([]string, error) {
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return names, err
	}
	if more, failed := acls(); len(more) > 0 || failed != nil {
		return append(names, more...), failed
	}
	return names, err
}

func (f *file) Xattr(name string) ([]byte, error) {
	get := sys.Fgetxattr
	if sys.IsACL(name) {
		get = sys.GetACL
	}
	value, err := get(f.fd, name)
	return value, xattrError("getxattr", f.name, err)
}

func (f *file) setXattr(name string, value []byte) error {
	set := sys.Fsetxattr
	if sys.IsACL(name) {
		set = sys.SetACL
	}
	return xattrError("setxattr", f.name, set(f.fd, name, value))
}

func (f *file) removeXattr(name string) error {
	remove := sys.Fremovexattr
	if sys.IsACL(name) {
		remove = sys.RemoveACL
	}
	return xattrError("removexattr", f.name, remove(f.fd, name))
}

const errNoXattr = unix.ENOATTR

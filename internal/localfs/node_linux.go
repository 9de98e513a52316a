package localfs

import (
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Node implements [vfs.Dir]. It makes no system call.
func (d *dir) Node(name string) (vfs.Node, error) {
	if err := check("node", name); err != nil {
		return nil, err
	}
	return &node{dir: d, name: name}, nil
}

// A node implements [vfs.Node] for an entry by its name. The directory itself is
// accessed by its descriptor, because looking up "." requires search permission.
type node struct {
	vfs.UnsupportedNode
	dir  *dir
	name string
}

func (n *node) target() target {
	if n.name == "." {
		return target{n.dir.fd, "", n.name}
	}
	return target{n.dir.fd, n.name, n.name}
}

// Stat asks the server on SMB, because the client shows for a second the mode and the owner that were set, whatever the
// server has stored. NFS clients use the server's answer.
func (n *node) Stat() (vfs.Attr, error) {
	if smbDevices.has(n.dir.fd) {
		var st unix.Statx_t
		t := n.target()
		_ = sys.IgnoringEINTR(func() error { // without this call, the cached attributes must do
			return unix.Statx(t.fd, t.at, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
		})
	}
	return n.dir.Lstat(n.name)
}

func (n *node) Chown(uid, gid int) error {
	if n.name == "." {
		return call("chown", n.name, func() error { return unix.Fchown(n.dir.fd, uid, gid) })
	}
	return n.dir.Lchown(n.name, uid, gid)
}

func (n *node) Chmod(mode fs.FileMode) error { return n.dir.Chmod(n.name, mode) }

func (n *node) Chtimes(atime, mtime time.Time) error { return n.dir.Chtimes(n.name, atime, mtime) }

func (n *node) SetBtime(time.Time) error                 { return noBtime(n.name) }
func (n *node) Flags() (uint32, error)                   { return n.target().flags() }
func (n *node) SetFlags(flags uint32) error              { return n.target().setFlags(flags) }
func (n *node) Xattrs(bool) ([]string, error)            { return n.target().xattrs() }
func (n *node) Xattr(name string) ([]byte, error)        { return n.target().xattr(name) }
func (n *node) SetXattr(name string, value []byte) error { return n.target().setXattr(name, value) }
func (n *node) RemoveXattr(name string) error            { return n.target().removeXattr(name) }
func (n *node) Close() error                             { return nil }

func (f *file) target() target { return target{f.fd, "", f.name} }

func (f *file) SetBtime(time.Time) error                 { return noBtime(f.name) }
func (f *file) Flags() (uint32, error)                   { return f.target().flags() }
func (f *file) SetFlags(flags uint32) error              { return f.target().setFlags(flags) }
func (f *file) Xattrs(bool) ([]string, error)            { return f.target().xattrs() }
func (f *file) Xattr(name string) ([]byte, error)        { return f.target().xattr(name) }
func (f *file) SetXattr(name string, value []byte) error { return f.target().setXattr(name, value) }
func (f *file) RemoveXattr(name string) error            { return f.target().removeXattr(name) }

// noBtime returns the error for setting a creation time, which no Linux system call can do.
func noBtime(name string) error { return pathError("setbtime", name, errors.ErrUnsupported) }

// A target identifies the entry whose flags and attributes are accessed, as package sys does: the entry called
// at in the directory fd, or if at is empty the open file fd. name is its name in errors.
type target struct {
	fd   int
	at   string
	name string
}

func (t target) flags() (uint32, error) {
	flags, err := sys.Getflags(t.fd, t.at)
	return flags, pathError("getflags", t.name, noFlags(err))
}

func (t target) setFlags(flags uint32) error {
	return pathError("setflags", t.name, noFlags(sys.Setflags(t.fd, t.at, flags)))
}

// noFlags marks the errors other than EOPNOTSUPP that say that a file system lacks flags, or one of those requested.
func noFlags(err error) error {
	switch err {
	case unix.ENOTTY, // no such ioctl
		unix.EINVAL: // from some FUSE file systems; or a flag that can no longer be set on this file
		return marked(err)
	}
	return err
}

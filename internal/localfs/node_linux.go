package localfs

import (
	"errors"

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

// Statx asks the server on SMB, because the client shows for a second the mode and the owner that were set, whatever the
// server has stored. NFS clients use the server's answer.
func (n *node) Statx(vfs.StatxWant) (vfs.Attr, error) {
	if smbDevices.has(n.dir.fd) {
		var st unix.Statx_t
		t := n.target()
		_ = sys.IgnoringEINTR(func() error { // without this call, the cached attributes must do
			return unix.Statx(t.fd, t.at, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
		})
	}
	return vfs.Lstat(n.dir, n.name)
}

// Set implements [vfs.Node].
func (n *node) Set(changes []vfs.Change) []error { return vfs.SetEach(changes, n.set) }

func (n *node) set(c *vfs.Change) error {
	switch c.Kind {
	case vfs.OwnerChange, vfs.ModeChange, vfs.TimesChange:
		if c.Kind == vfs.OwnerChange && n.name == "." {
			return call("chown", n.name, func() error { return unix.Fchown(n.dir.fd, c.UID, c.GID) })
		}
		return n.dir.set(n.name, c)
	}
	return n.target().set(c)
}

func (n *node) Flags() (uint32, error)            { return n.target().flags() }
func (n *node) Xattrs(bool) ([]string, error)     { return n.target().xattrs() }
func (n *node) Xattr(name string) ([]byte, error) { return n.target().xattr(name) }
func (n *node) Close() error                      { return nil }

func (f *file) target() target { return target{f.fd, "", f.name} }

func (f *file) setExtended(c *vfs.Change) error { return f.target().set(c) }

func (f *file) Flags() (uint32, error)            { return f.target().flags() }
func (f *file) Xattrs(bool) ([]string, error)     { return f.target().xattrs() }
func (f *file) Xattr(name string) ([]byte, error) { return f.target().xattr(name) }

// A target identifies the entry whose flags and attributes are accessed, as package sys does: the entry called
// at in the directory fd, or if at is empty the open file fd. name is its name in errors.
type target struct {
	fd   int
	at   string
	name string
}

func (t target) flags() (uint32, error) {
	flags, err := sys.Getflags(t.fd, t.at)
	return flags, vfs.PathError("getflags", t.name, noFlags(err))
}

// set makes changes that have no system calls relative to a directory. No system call sets a creation time.
func (t target) set(c *vfs.Change) error {
	switch c.Kind {
	case vfs.FlagsChange:
		return vfs.PathError("setflags", t.name, noFlags(sys.Setflags(t.fd, t.at, c.Flags)))
	case vfs.XattrChange:
		return xattrError("setxattr", t.name, sys.Setxattr(t.fd, t.at, c.Xattr, c.Value))
	case vfs.XattrRemoval:
		return xattrError("removexattr", t.name, sys.Removexattr(t.fd, t.at, c.Xattr))
	}
	return vfs.PathError(c.Kind.String(), t.name, errors.ErrUnsupported)
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

package memfs

import (
	"io/fs"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// maxSize bounds a file, so that a wrong offset is an error instead of the end of memory.
const maxSize = 1 << 30

// settable are the bits of a mode that Chmod sets.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// An inode is an entry of an FS, whatever its name.
type inode struct {
	vfs.Attr // but for Size and Blocks, which attr computes

	data    []byte // of a regular file
	disk    disk   // of a regular file of a volatile FS
	blocks  int64  // that were preallocated for it, in bytes
	target  string // of a symbolic link
	entries names  // of a directory
	parent  *inode // of a directory

	xattrs    map[string][]byte
	private   bool   // nobody may list the directory
	companion *inode // shows the extended attributes as a file beside this one
}

func (n *inode) attr() vfs.Attr {
	a := n.Attr
	a.Size = int64(len(n.data) + len(n.target))
	a.Blocks = (max(a.Size, n.blocks) + 511) / 512
	return a
}

// lookup returns an entry of a directory.
func (n *inode) lookup(name string) (*inode, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if err := n.entries.check(name); err != nil {
		return nil, err
	}
	e, ok := n.entries.get(name)
	if !ok {
		return nil, syscall.ENOENT
	}
	return e, nil
}

func (n *inode) chmod(mode fs.FileMode) { n.Mode = n.Mode.Type() | mode&settable }

func (n *inode) chown(uid, gid int) {
	if uid != -1 {
		n.UID = uint32(uid)
	}
	if gid != -1 {
		n.GID = uint32(gid)
	}
	if n.Mode.IsRegular() {
		n.Mode &^= fs.ModeSetuid | fs.ModeSetgid
	}
}

func (n *inode) chtimes(atime, mtime time.Time) {
	if !atime.IsZero() {
		n.Atime = atime
	}
	if !mtime.IsZero() {
		n.Mtime = mtime
	}
}

// resize sets the length of a regular file.
func (n *inode) resize(size int64) error {
	switch {
	case size < 0:
		return syscall.EINVAL
	case size > maxSize:
		return syscall.EFBIG
	}
	if more := size - int64(len(n.data)); more > 0 {
		n.data = append(n.data, make([]byte, more)...)
	}
	n.data = n.data[:size]
	return nil
}

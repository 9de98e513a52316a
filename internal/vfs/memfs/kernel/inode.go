package kernel

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"psync/internal/vfs"
)

// MaxSize limits the size of a file, so that a wrong offset is an error and does not use up memory.
const MaxSize = 1 << 30

// settable are the bits of a mode that Chmod sets.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// An Inode is an entry of an FS, independent of its names.
type Inode struct {
	vfs.Attr // except Size and Blocks, which attr computes

	Data     []byte // of a regular file
	Reserved int64  // bytes that were preallocated for it
	Target   string // of a symbolic link
	Entries  Names  // of a directory
	Parent   *Inode // of a directory

	Xattrs      map[string][]byte
	private     bool   // no one may list the directory
	appleDouble *Inode // shows the extended attributes as a file beside this one
}

func (n *Inode) attr() vfs.Attr {
	a := n.Attr
	a.Size = int64(len(n.Data) + len(n.Target))
	a.Blocks = (max(a.Size, n.Reserved) + 511) / 512
	return a
}

// Lookup returns an entry of a directory.
func (n *Inode) Lookup(name string) (*Inode, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if err := n.Entries.check(name); err != nil {
		return nil, err
	}
	e, ok := n.Entries.get(name)
	if !ok {
		return nil, syscall.ENOENT
	}
	return e, nil
}

func (n *Inode) chmod(mode fs.FileMode) { n.Mode = n.Mode.Type() | mode&settable }

func (n *Inode) chown(uid, gid int) {
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

func (n *Inode) chtimes(atime, mtime time.Time) {
	if !atime.IsZero() {
		n.Atime = atime
	}
	if !mtime.IsZero() {
		n.Mtime = mtime
	}
}

// Resize sets the length of a regular file.
func (n *Inode) Resize(size int64) error {
	switch {
	case size < 0:
		return syscall.EINVAL
	case size > MaxSize:
		return syscall.EFBIG
	}
	old := len(n.Data)
	if size > int64(cap(n.Data)) { // the append of a make would allocate twice with the race detector
		n.Data = append(make([]byte, 0, max(size, int64(old+old/4))), n.Data...)
	}
	n.Data = n.Data[:size]
	clear(n.Data[min(old, len(n.Data)):])
	return nil
}

// special reports whether an entry is a fifo, a socket or a device.
func (n *Inode) special() bool {
	return !n.Mode.IsRegular() && !n.Mode.IsDir() && n.Mode.Type() != fs.ModeSymlink
}

// checkXattr returns why name cannot be the name, of at most longest bytes, of an extended attribute.
func checkXattr(name string, longest int) error {
	switch {
	case name == "", strings.ContainsRune(name, 0):
		return syscall.EINVAL
	case len(name) > longest:
		return syscall.ENAMETOOLONG
	}
	return nil
}

// xattrNames returns the names of all extended attributes.
func (n *Inode) xattrNames() []string { return slices.Sorted(maps.Keys(n.Xattrs)) }

// xattr returns the value of an extended attribute, which callers may not change.
func (n *Inode) xattr(name string) ([]byte, error) {
	value, ok := n.Xattrs[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return value, nil
}

// setXattr stores a value that is never nil, so that an empty value counts as one.
func (n *Inode) setXattr(name string, value []byte) {
	if n.Xattrs == nil {
		n.Xattrs = make(map[string][]byte)
	}
	n.Xattrs[name] = append([]byte{}, value...)
}

func (n *Inode) removeXattr(name string) error {
	if _, ok := n.Xattrs[name]; !ok {
		return fs.ErrNotExist
	}
	delete(n.Xattrs, name)
	return nil
}

// CheckName returns why name cannot be the name of an entry.
func CheckName(name string) error {
	switch {
	case name == "", name == ".", name == "..", strings.ContainsAny(name, "/\x00"):
		return syscall.EINVAL
	case len(name) > 255:
		return syscall.ENAMETOOLONG
	}
	return nil
}

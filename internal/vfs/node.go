package vfs

import (
	"errors"
)

// A Node is an entry whose metadata beyond its [Attr] can be read and set.
// A [File] is a Node, and a [Dir] may have one for each entry. No method
// follows a symbolic link. If the file system, or an entry of this type, does not support something, the error matches
// [errors.ErrUnsupported]; if the user lacks permission, it matches [fs.ErrPermission].
//
// ACLs are extended attributes here, under the names that systems store them by:
// system.posix_acl_access, system.posix_acl_default and system.nfs4_acl on Linux,
// com.apple.system.Security on macOS, system.posix1e.acl_access,
// system.posix1e.acl_default and system.nfs4.acl on FreeBSD.
type Node interface {
	// Statx returns at least the attributes that want says, which on a network file system may take fewer round trips than
	// all. A Node that comes from a [Dir] returns all that the volume has stored, even if the system shows for a while
	// what was set.
	Statx(want StatxWant) (Attr, error)
	// Set makes changes in their order, in one request to a remote host, and does not change the slice. It returns nil if
	// all have succeeded, or otherwise the error of each, or nil. If there are fewer, the last one is why the other changes
	// were not tried.
	//
	// After a failed change of the owner, later ones leave out set-id bits, which would give the rights of another user.
	// After a fatal error, as [ChangeKind.IsFatal] defines it, the errors of the other changes match [ErrNotTried]. If both
	// owner and group are to be set, and only the group can be, the error is a [*GroupOnlyError]. Changing the mode of a
	// symbolic link is unsupported where links have none. If an extended attribute that is to be removed does not exist, the
	// error matches fs.ErrNotExist.
	Set(changes []Change) []error
	// Flags returns the flags of the entry: those of chflags(2), or on Linux those of FS_IOC_GETFLAGS.
	Flags() (uint32, error)
	// Xattrs returns the names of the extended attributes, in no particular
	// order. On systems where listing ACLs takes extra calls, they are included only if acls is true.
	Xattrs(acls bool) ([]string, error)
	// Xattr returns the value of an extended attribute. If there is none with that name, the error matches
	// fs.ErrNotExist.
	Xattr(name string) ([]byte, error)
	// ReadXattrAt follows io.ReaderAt for an attribute that may be too long to be held in memory, such as a resource fork
	// of macOS; an XattrPiece writes to it. If p is empty, it returns the length of the attribute in bytes, as
	// getxattr(2) does. The error matches errors.ErrUnsupported if no attribute with that name can be so long.
	ReadXattrAt(name string, p []byte, off int64) (int, error)
	// Close closes the Node. For a File it closes the file.
	Close() error
}

// XattrSize returns the length in bytes of an attribute that [Node.ReadXattrAt] reads.
func XattrSize(n Node, name string) (int64, error) {
	size, err := n.ReadXattrAt(name, nil, 0)
	return int64(size), err
}

// CloseUnwritten closes a node, or a file that was not written to. It ignores the error, since nothing can be lost.
func CloseUnwritten(n Node) { _ = n.Close() }

// UnsupportedNode is embedded by implementations of [Node] that lack some of its methods. Those
// that they do not override return [errors.ErrUnsupported].
type UnsupportedNode struct{}

func (UnsupportedNode) Set(changes []Change) []error {
	return SetEach(changes, func(*Change) error { return errors.ErrUnsupported })
}

func (UnsupportedNode) Flags() (uint32, error)        { return 0, errors.ErrUnsupported }
func (UnsupportedNode) Xattrs(bool) ([]string, error) { return nil, errors.ErrUnsupported }
func (UnsupportedNode) Xattr(string) ([]byte, error)  { return nil, errors.ErrUnsupported }

func (UnsupportedNode) ReadXattrAt(string, []byte, int64) (int, error) {
	return 0, errors.ErrUnsupported
}

package vfs

import (
	"io/fs"
	"time"
)

// A Node is an entry that can be asked for metadata beyond its [Attr], and be given
// it. A [File] is one, and a [Dir] may have one for each entry. No method
// follows a symbolic link. What the file system, or an entry of this type,
// does not have is an error matching [errors.ErrUnsupported]; what the user may
// not do is one matching [fs.ErrPermission].
//
// ACLs are extended attributes here, under the names that systems store them by:
// system.posix_acl_access, system.posix_acl_default and system.nfs4_acl on Linux,
// com.apple.system.Security on macOS, system.posix1e.acl_access,
// system.posix1e.acl_default and system.nfs4.acl on FreeBSD.
type Node interface {
	Stat() (Attr, error)
	// Chown, Chmod and Chtimes do what those of File do. Chmod of a symbolic
	// link is unsupported where links have no mode.
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Chtimes(atime, mtime time.Time) error
	// SetBtime sets the time of birth.
	SetBtime(t time.Time) error
	// Flags returns the flags that an entry has: those of chflags(2), or on
	// Linux those of FS_IOC_GETFLAGS.
	Flags() (uint32, error)
	// SetFlags replaces all flags.
	SetFlags(flags uint32) error
	// Xattrs returns the names of the extended attributes, in no particular
	// order. Where ACLs take a look of their own they are among them only if acls is true.
	Xattrs(acls bool) ([]string, error)
	// Xattr returns the value of an extended attribute. If there is none of that
	// name, the error matches fs.ErrNotExist.
	Xattr(name string) ([]byte, error)
	// SetXattr gives an extended attribute a value, whether or not it exists.
	SetXattr(name string, value []byte) error
	// RemoveXattr removes an extended attribute. If there is none of that name,
	// the error matches fs.ErrNotExist.
	RemoveXattr(name string) error
	// XattrSize returns the length in bytes of an attribute that may be too long to be held in
	// memory, as resource forks of macOS are, or an error matching errors.ErrUnsupported if no
	// attribute of that name can be.
	XattrSize(name string) (int64, error)
	// ReadXattrAt and WriteXattrAt follow io.ReaderAt and io.WriterAt for such an attribute.
	ReadXattrAt(name string, p []byte, off int64) (int, error)
	WriteXattrAt(name string, p []byte, off int64) (int, error)
	// Close ends the use of the Node. For a File it is that of the file.
	Close() error
}

// CloseUnwritten closes a file that was not written to, or a node: nothing is lost if that fails.
func CloseUnwritten(n Node) { _ = n.Close() }

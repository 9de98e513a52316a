package sys

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// securityName is the extended attribute in which macOS stores ACLs, inaccessible
// to programs. Here its value is a kauth_filesec, the form that the kernel accepts.
const securityName = "com.apple.system.Security"

// securityBuffer is long enough for any reply with an ACL.
const securityBuffer = replyMinimum + filesecHeader + filesecEntries*filesecEntry

// IsACL reports whether an extended attribute is an ACL, which has calls of its own.
func IsACL(name string) bool { return name == securityName }

// ACLs returns the names of the ACLs that an open file has.
func ACLs(fd int) ([]string, error) { return aclNames(readACL(fd, "")) }

// ACLsAt is ACLs for an entry by name. It does not follow a symbolic link.
func ACLsAt(dirfd int, name string) ([]string, error) { return aclNames(readACL(dirfd, name)) }

func aclNames(_ []byte, err error) ([]string, error) {
	switch {
	case err == nil:
		return []string{securityName}, nil
	case err == unix.ENOATTR, errors.Is(err, errors.ErrUnsupported):
		return nil, nil
	}
	return nil, err
}

// GetACL returns the ACL of an open file. If it has none the error is ENOATTR.
func GetACL(fd int, name string) ([]byte, error) {
	if !IsACL(name) {
		return nil, unix.ENOATTR
	}
	return readACL(fd, "")
}

// readACL returns the ACL of an entry of the directory fd or, if name is empty, of the open file fd.
func readACL(fd int, name string) ([]byte, error) {
	list := commonAttr(unix.ATTR_CMN_RETURNED_ATTRS | attrCmnExtendedSecurity)
	var reply [securityBuffer]byte
	var err error
	if name == "" {
		err = fattrlist(fgetattrlistAddr, fd, &list, reply[:])
	} else {
		err = attrlistat(getattrlistatAddr, fd, name, &list, reply[:])
	}
	if err != nil {
		return nil, err
	}
	acl, err := parseSecurity(reply[:])
	if err == nil && acl == nil {
		err = unix.ENOATTR
	}
	return acl, err
}

// SetACL gives an open file an ACL.
func SetACL(fd int, name string, acl []byte) error {
	attr, err := securityAttr(acl)
	if !IsACL(name) || err != nil {
		return fs.ErrInvalid
	}
	list := commonAttr(attrCmnExtendedSecurity)
	return fattrlist(fsetattrlistAddr, fd, &list, attr)
}

// RemoveACL removes the ACL of an open file. If it has none the error is ENOATTR.
func RemoveACL(fd int, name string) error {
	if _, err := GetACL(fd, name); err != nil {
		return err
	}
	return SetACL(fd, name, noFilesec())
}

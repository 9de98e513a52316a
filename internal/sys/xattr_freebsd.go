package sys

import (
	"strings"

	"golang.org/x/sys/unix"
)

// The namespaces of extended attributes. Only root can access the system namespace.
const (
	userPrefix   = "user."
	systemPrefix = "system."
)

// Flistxattr returns the names of the extended attributes of an open file that the
// user may see. ACLs are not among them.
func Flistxattr(fd int) ([]string, error) {
	list := func(namespace int) ([]byte, error) {
		return grow(func(p []byte) (int, error) { return unix.FlistxattrNS(fd, namespace, p) })
	}
	user, err := list(unix.EXTATTR_NAMESPACE_USER)
	if err != nil {
		return nil, err
	}
	names := extattrNames(nil, userPrefix, user)
	system, err := list(unix.EXTATTR_NAMESPACE_SYSTEM)
	if err == unix.EPERM || err == unix.EOPNOTSUPP {
		return names, nil
	}
	if err != nil {
		return nil, err
	}
	for _, name := range extattrNames(nil, systemPrefix, system) {
		if !IsACL(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Fsetxattr sets an extended attribute of an open file.
func Fsetxattr(fd int, name string, value []byte) error {
	if !strings.HasPrefix(name, userPrefix) && !strings.HasPrefix(name, systemPrefix) {
		return unix.EOPNOTSUPP // x/sys would return ENOATTR
	}
	return IgnoringEINTR(func() error { return unix.Fsetxattr(fd, name, value, 0) })
}

package sys

import (
	"errors"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Names of the ACLs of FreeBSD, as its file systems store them.
const (
	aclAccess  = "system.posix1e.acl_access"
	aclDefault = "system.posix1e.acl_default"
	aclNFS4    = "system.nfs4.acl"
)

// Types of ACLs, and the fpathconf(2) names that report whether a file system has them (freebsd,
// sys/sys/acl.h and sys/sys/unistd.h).
const (
	typeAccess  = 2
	typeDefault = 3
	typeNFS4    = 4

	pcACLExtended = 59
	pcACLNFS4     = 64
)

func aclType(name string) uintptr {
	switch name {
	case aclAccess:
		return typeAccess
	case aclDefault:
		return typeDefault
	case aclNFS4:
		return typeNFS4
	}
	return 0
}

// IsACL reports whether an extended attribute is an ACL, which has calls of its own.
func IsACL(name string) bool { return aclType(name) != 0 }

// ACLs returns the names of the ACLs that an open file has. On file systems with NFSv4 ACLs, each file has
// one.
func ACLs(fd int) ([]string, error) {
	if has(fd, pcACLNFS4) {
		return []string{aclNFS4}, nil
	}
	if !has(fd, pcACLExtended) {
		return nil, nil
	}
	var names []string
	for _, name := range []string{aclAccess, aclDefault} {
		_, err := GetACL(fd, name)
		switch {
		case err == nil:
			names = append(names, name)
		case err != unix.ENOATTR && !errors.Is(err, errors.ErrUnsupported):
			return nil, err
		}
	}
	return names, nil
}

func has(fd, ability int) bool {
	n, err := unix.Fpathconf(fd, ability)
	return err == nil && n > 0
}

// GetACL returns the entries in use of an ACL of an open file. If there is no ACL, or it is equivalent to the
// permission bits, the error is ENOATTR.
func GetACL(fd int, name string) ([]byte, error) {
	full := make([]byte, aclSize)
	full[0] = aclMax // the kernel requires the capacity
	if err := aclCall(unix.SYS___ACL_GET_FD, fd, name, full); err != nil {
		return nil, absentACL(err)
	}
	acl, err := trimACL(full)
	switch {
	case err != nil:
		return nil, err
	case name == aclAccess && aclEntries(acl) <= 3, name == aclDefault && aclEntries(acl) == 0:
		return nil, unix.ENOATTR
	}
	return acl, nil
}

// SetACL gives an open file an ACL.
func SetACL(fd int, name string, acl []byte) error {
	full, err := padACL(acl)
	if err != nil {
		return err
	}
	return aclCall(unix.SYS___ACL_SET_FD, fd, name, full)
}

// RemoveACL removes an ACL of an open file. If there is none, the error is ENOATTR. An NFSv4 ACL always
// exists.
func RemoveACL(fd int, name string) error {
	if name == aclNFS4 {
		return unix.EOPNOTSUPP
	}
	if _, err := GetACL(fd, name); err != nil {
		return err
	}
	if name == aclDefault {
		return aclCall(unix.SYS___ACL_DELETE_FD, fd, name, nil)
	}
	var st unix.Stat_t
	if err := Fstat(fd, &st); err != nil {
		return err
	}
	return SetACL(fd, name, modeACL(uint32(st.Mode)))
}

// aclCall makes one of the calls __acl_..._fd(2).
func aclCall(call uintptr, fd int, name string, acl []byte) error {
	kind := aclType(name)
	if kind == 0 {
		return fs.ErrInvalid
	}
	return IgnoringEINTR(func() error {
		_, _, errno := unix.Syscall(call, uintptr(fd), kind, uintptr(unsafe.Pointer(unsafe.SliceData(acl))))
		return result(errno)
	})
}

// absentACL converts EINVAL, the error for an entry that cannot have an ACL of this type, because it is not a
// directory or the file system has the other kind of ACLs.
func absentACL(err error) error {
	if err == unix.EINVAL {
		return unix.EOPNOTSUPP
	}
	return err
}

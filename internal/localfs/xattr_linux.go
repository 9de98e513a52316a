package localfs

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

// longest is the maximum length of a value, and of a list of names, on Linux: XATTR_SIZE_MAX
// and XATTR_LIST_MAX. A buffer of this size is never too short.
const longest = 64 << 10

var longBuffers = sync.Pool{New: func() any { return new([longest]byte) }}

// xattrs always includes ACLs: listing them takes no extra call.
func (t target) xattrs() ([]string, error) {
	var short [512]byte // most entries have few attributes or none
	n, err := sys.Listxattr(t.fd, t.at, short[:])
	if err == nil {
		return splitNames(short[:n]), nil
	}
	if err != unix.ERANGE {
		return nil, xattrError("listxattr", t.name, err)
	}
	long := longBuffers.Get().(*[longest]byte)
	defer longBuffers.Put(long)
	if n, err = sys.Listxattr(t.fd, t.at, long[:]); err != nil {
		return nil, xattrError("listxattr", t.name, err)
	}
	return splitNames(long[:n]), nil
}

// splitNames splits a list of names that each end in a NUL.
func splitNames(list []byte) []string {
	if len(list) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
}

func (t target) xattr(attr string) ([]byte, error) {
	var short [512]byte
	n, err := sys.Getxattr(t.fd, t.at, attr, short[:])
	if err == nil {
		return bytes.Clone(short[:n]), nil
	}
	if err != unix.ERANGE {
		return nil, xattrError("getxattr", t.name, err)
	}
	long := longBuffers.Get().(*[longest]byte)
	defer longBuffers.Put(long)
	if n, err = sys.Getxattr(t.fd, t.at, attr, long[:]); err != nil {
		return nil, xattrError("getxattr", t.name, err)
	}
	return bytes.Clone(long[:n]), nil
}

const errNoXattr = unix.ENODATA

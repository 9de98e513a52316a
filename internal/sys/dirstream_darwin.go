package sys

import (
	"bytes"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A DirStream lists an open directory with readdir(3). Unlike package os, it does not leave out entries that
// cannot be looked up if the file system does not report their type.
type DirStream struct {
	dir    uintptr // a DIR of the C library
	entry  unix.Dirent
	result *unix.Dirent // &entry, or nil at the end
}

// NewDirStream returns a stream that lists the directory fd, and closes fd when it is closed. If NewDirStream
// fails, fd stays open.
func NewDirStream(fd int) (*DirStream, error) {
	dir, err := fdopendir(fd)
	if err != nil {
		return nil, err
	}
	return &DirStream{dir: dir}, nil
}

// Next returns the next entry. It reports false at the end.
func (s *DirStream) Next() (d Dirent, ok bool, err error) {
	for {
		switch errno := readdirR(s.dir, &s.entry, &s.result); errno {
		case 0:
		case unix.EINTR:
			continue
		default:
			return Dirent{}, false, errno
		}
		if s.result == nil {
			return Dirent{}, false, nil
		}
		if s.entry.Ino == 0 {
			continue // removed, but still listed: see getdirentries(2)
		}
		name := unsafe.Slice((*byte)(unsafe.Pointer(&s.entry.Name)), len(s.entry.Name))
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		return Dirent{Name: name, Type: s.entry.Type, Ino: s.entry.Ino}, true, nil
	}
}

// Close closes the stream and its directory.
func (s *DirStream) Close() error { return closedir(s.dir) }

func fdopendir(fd int) (dir uintptr, err error) {
	dir, _, errno := syscall_syscallPtr(fdopendirAddr, uintptr(fd), 0, 0)
	return dir, result(errno)
}

// readdirR returns the error number rather than setting errno.
func readdirR(dir uintptr, entry *unix.Dirent, next **unix.Dirent) syscall.Errno {
	r, _, _ := syscall_syscall(readdirRAddr, dir, uintptr(unsafe.Pointer(entry)), uintptr(unsafe.Pointer(next)))
	return syscall.Errno(r)
}

func closedir(dir uintptr) error {
	_, _, errno := syscall_syscall(closedirAddr, dir, 0, 0)
	return result(errno)
}

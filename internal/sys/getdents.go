//go:build linux || freebsd

package sys

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// NextDirent returns the first entry of a buffer that Getdents has filled, and
// the rest of the buffer. ok is false at the end, or if the buffer is malformed.
func NextDirent(buf []byte) (d Dirent, rest []byte, ok bool) {
	if len(buf) < direntName {
		return Dirent{}, nil, false
	}
	n := int(binary.NativeEndian.Uint16(buf[direntReclen:]))
	if n < direntName || n > len(buf) {
		return Dirent{}, nil, false
	}
	name := buf[direntName:n]
	if end := bytes.IndexByte(name, 0); end >= 0 {
		name = name[:end]
	}
	return Dirent{Name: name, Type: buf[direntType], Ino: binary.NativeEndian.Uint64(buf[direntIno:])}, buf[n:], true
}

// Getdents fills buf with entries and returns how many bytes are in use; 0 at the end.
func Getdents(fd int, buf []byte) (n int, err error) {
	for {
		if n, err := unix.Getdents(fd, buf); err != unix.EINTR {
			return n, err
		}
	}
}

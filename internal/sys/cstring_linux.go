package sys

import (
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxName is the longest name, in bytes, that is passed without allocating.
const maxName = 255

// cstring returns name with a NUL at its end, in buf if it fits.
func cstring(buf *[maxName + 1]byte, name string) (unsafe.Pointer, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return nil, unix.EINVAL
	}
	if len(name) <= maxName {
		copy(buf[:], name) // buf is zero beyond
		return unsafe.Pointer(buf), nil
	}
	return unsafe.Pointer(unsafe.StringData(name + "\x00")), nil
}

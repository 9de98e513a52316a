package sys

import (
	"bytes"
	"sync"

	"golang.org/x/sys/unix"
)

// maxLists is the length in bytes of a buffer that most values of extended attributes, and lists of their names, fit
// into. On a share of SMB each call opens the file there, so asking for a length first doubles the round trips.
const maxLists = 4 << 10

var listBuffers = sync.Pool{New: func() any { return new([maxLists]byte) }}

// grow returns what get fills a buffer with. Only if that does not fit, which get says by ERANGE or by filling the
// whole buffer, it calls get for the length, by a nil buffer, and then again, a limited number of times because it may have
// grown in between.
func grow(get func(p []byte) (int, error)) ([]byte, error) {
	short := listBuffers.Get().(*[maxLists]byte)
	defer listBuffers.Put(short)
	p := short[:]
	for range 5 {
		n, err := IgnoringEINTR2(func() (int, error) { return get(p) })
		if err == nil && n < len(p) {
			return bytes.Clone(p[:n]), nil
		}
		if err != nil && err != unix.ERANGE {
			return nil, err
		}
		if n, err = IgnoringEINTR2(func() (int, error) { return get(nil) }); err != nil {
			return nil, err
		}
		p = make([]byte, n+1) // one more byte, to detect that the value has grown
	}
	return nil, unix.ERANGE
}

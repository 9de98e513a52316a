package content

import (
	"errors"
	"fmt"

	"psync/internal/vfs"
)

// A Reflink says whether a copy may share the blocks of its source.
type Reflink int

const (
	ReflinkAuto   Reflink = iota // share blocks where possible
	ReflinkAlways                // fail if blocks cannot be shared; an empty file has none
	// ReflinkNever gives the copy its own blocks. This rules out copy_file_range, which may share blocks, so all
	// bytes are read and written.
	ReflinkNever
)

// ErrReflink reports that [ReflinkAlways] is impossible for a file.
var ErrReflink = errors.New("cannot share the blocks of its source, which --reflink=auto would copy")

// clone makes dst share the blocks of src, and reports whether it does. A failed attempt has changed nothing,
// so clone returns an error only if reading and writing must not be tried; otherwise they return the actual
// error.
func (c *Copier) clone(dst, src vfs.File, route *Route) (bool, error) {
	if c.Reflink == ReflinkNever {
		return false, nil
	}
	err := route.share(dst, src)
	if err != nil && c.Reflink == ReflinkAlways {
		return false, fmt.Errorf("%w: %w", ErrReflink, err)
	}
	return err == nil, nil
}

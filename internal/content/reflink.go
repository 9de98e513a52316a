package content

import (
	"errors"
	"fmt"

	"psync/internal/vfs"
)

// A Reflink says whether a copy may share the blocks of its source.
type Reflink int

const (
	ReflinkAuto   Reflink = iota // it shares them where it can
	ReflinkAlways                // it must, or is an error; what is empty has none
	// With ReflinkNever it has blocks of its own. As that rules copy_file_range out,
	// which shares blocks as it likes, everything is read and written.
	ReflinkNever
)

// ErrReflink says that [ReflinkAlways] cannot be had.
var ErrReflink = errors.New("cannot share the blocks of its source, which --reflink=auto would copy")

// clone makes dst share the blocks of src, and reports whether it does. Failing in any
// way that has changed nothing, and reading and writing will return the actual error,
// unless they must not be tried.
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

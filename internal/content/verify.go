package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/vfs"
)

// ReadsBack reports whether dst, which was just written and is open for reading, has the contents of src. attr
// describes src at the time of opening. dst is read from its volume and not from the system's cache, where the system
// allows that. Errors are as for [Copier.Equal].
//
// It reads src once more instead of having hashed what was copied: then clones and copies within the kernel or a
// server need no exception, and several Copiers can share a large file. As a rule, src is cached by now.
func (c *Copier) ReadsBack(ctx context.Context, dst, src vfs.File, attr vfs.Attr) (bool, error) {
	if err := dst.Advise(vfs.DontNeed); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return false, err
	}
	there, err := vfs.Stat(dst)
	if err != nil {
		return false, err
	}
	if there.Size != attr.Size { // some files, such as those of /proc and /sys, report a size that means nothing
		if ends, err := endsAt(src, there.Size); !ends || err != nil {
			return false, err
		}
	}
	return c.Equal(ctx, src, dst, there.Size)
}

// endsAt reports whether f, the source, has no bytes at or after off.
func endsAt(f vfs.File, off int64) (bool, error) {
	n, err := f.ReadAt(make([]byte, 1), off)
	if err != nil && err != io.EOF {
		return false, &ReadError{err}
	}
	return n == 0, nil
}

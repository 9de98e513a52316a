package content

import (
	"context"
	"io"

	"psync/internal/buffer"
	"psync/internal/vfs"
)

// Digest writes all contents of f to h, in order. Like Copy, it stops between pieces once ctx is done and returns its
// cause. Its errors are those of f.
func Digest(ctx context.Context, h io.Writer, f vfs.File) error {
	buf := buffer.New(piece)
	defer buf.Free()
	for off := int64(0); ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := f.ReadAt(buf.Bytes, off)
		off += int64(n)
		if _, werr := h.Write(buf.Bytes[:n]); werr != nil {
			return werr
		}
		switch {
		case err == io.EOF, err == nil && n == 0:
			return nil
		case err != nil:
			return err
		}
	}
}

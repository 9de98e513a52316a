package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/vfs"
)

// chunk is how many bytes the kernel is asked to copy at once: small enough that
// an interrupt and the progress display do not wait.
const chunk = 16 << 20

// copyRange copies the bytes in [off, end), within the kernel if that pays, and returns the offset that it
// reached. Without an error, an offset below end means that src ends before its size.
func (c *Copier) copyRange(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off, end int64, route *Route) (int64, error) {
	if end-off >= smallFile || route.far && route.ranges.worked() {
		var err error
		if off, err = c.copyInKernel(ctx, dst, src, off, end, route); err != nil {
			return off, err
		}
	}
	return c.copyThrough(ctx, dst, src, attr, off, end, route)
}

// mayCopyInKernel reports whether the options and dst allow the system to copy. Where the cache is to be bypassed, only
// a server copies.
func (c *Copier) mayCopyInKernel(dst vfs.File, route *Route) bool {
	return c.Reflink != ReflinkNever && dst.Caps().Has(vfs.CanCopyRange) && (route.far || c.Cache != CacheDrop)
}

// copyInKernel returns the offset that it reached. It does not return an error of the system call: reading and writing
// continue from that offset and get the error again if it is real.
func (c *Copier) copyInKernel(ctx context.Context, dst, src vfs.File, off, end int64, route *Route) (int64, error) {
	if !c.mayCopyInKernel(dst, route) {
		return off, nil
	}
	for off < end && route.ranges.open() {
		if ctx.Err() != nil {
			return off, context.Cause(ctx)
		}
		n := c.paced(min(chunk, end-off))
		if err := c.await(ctx, n); err != nil {
			return off, err
		}
		n, err := dst.CopyRange(src, off, n)
		if errors.Is(err, errors.ErrUnsupported) {
			route.ranges.refuse()
		}
		if err != nil || n == 0 {
			return off, nil
		}
		route.ranges.succeed()
		off += n
		c.moved(n)
	}
	return off, nil
}

// copyThrough copies through the buffer, and returns the offset that it reached.
func (c *Copier) copyThrough(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off, end int64, route *Route) (int64, error) {
	if off >= end {
		return off, nil
	}
	buf := c.buffer(min(c.pieceSize(src, attr, route), end-off))
	defer buf.Free()
	for off < end {
		if ctx.Err() != nil {
			return off, context.Cause(ctx)
		}
		p := buf.Bytes[:c.paced(min(int64(len(buf.Bytes)), end-off))]
		if err := c.await(ctx, int64(len(p))); err != nil {
			return off, err
		}
		n, err := src.ReadAt(p, off)
		if err != nil && err != io.EOF {
			return off, &ReadError{err}
		}
		if n == 0 {
			// Some files end before their size, those of /sys for instance.
			return off, unchanged(src, attr)
		}
		if _, err := dst.WriteAt(p[:n], off); err != nil {
			return off, err
		}
		off += int64(n)
		c.moved(int64(n))
	}
	return off, nil
}

// Append copies src from offset off until it ends. For a file that reports no size, or has grown, it copies
// more bytes than the attributes say.
func (c *Copier) Append(ctx context.Context, dst, src vfs.File, off int64) error {
	buf := c.buffer(minBuffer) // nearly always, src has ended
	defer func() { buf.Free() }()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p := buf.Bytes[:c.paced(int64(len(buf.Bytes)))]
		n, err := src.ReadAt(p, off)
		if err != nil && err != io.EOF {
			return &ReadError{err}
		}
		if n > 0 {
			if err := c.await(ctx, int64(n)); err != nil {
				return err
			}
			if _, err := dst.WriteAt(p[:n], off); err != nil {
				return err
			}
			off += int64(n)
			c.moved(int64(n))
		}
		if err == io.EOF {
			return nil
		}
		if n == minBuffer {
			buf.Free()
			buf = c.buffer(smallFile)
		}
	}
}

package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/vfs"
)

// ErrChanged says that a file has another size than it had at the start.
var ErrChanged = errors.New("changed while it was copied")

// A ReadError wraps what went wrong on the side of the source.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// chunk is how many bytes the kernel is asked to copy at once: small enough that
// an interrupt and the progress display do not wait.
const chunk = 16 << 20

// A Copier copies and compares files, one at a time. It owns the buffer.
type Copier struct {
	Progress  func(n int64) // told about each n bytes that have arrived
	MaxBuffer int64         // in bytes; 0 means as large as pays
	Sparse    bool          // runs of zeros become holes, also where the source has none

	buf []byte
}

// Copy copies the contents of src to dst, which must be new and empty. attr
// describes src as it was when it was opened; holes that it has, dst has too.
// Copy stops between chunks once ctx is done and returns its cause. An error of
// the source is a *[ReadError]. When Copy fails, dst holds a part.
func (c *Copier) Copy(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) error {
	if !c.Sparse {
		return c.copy(ctx, dst, src, attr, route)
	}
	thin := &thinFile{File: dst, route: route}
	if err := c.copy(ctx, thin, src, attr, route); err != nil {
		return err
	}
	return thin.finish()
}

// copy copies by the cheapest way that dst offers.
func (c *Copier) copy(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) error {
	if attr.Size == 0 {
		// Some files tell no size, those of /proc for instance.
		return c.copyToEnd(ctx, dst, src, route)
	}
	if route.clone.open() && clone(dst, src, route) {
		c.Progress(attr.Size)
		return unchanged(dst, attr)
	}
	advise(src, attr, route)
	if sparse(attr) {
		return c.copyExtents(ctx, dst, src, attr, route)
	}
	_, err := c.copyRange(ctx, dst, src, attr, 0, attr.Size, route)
	return err
}

// sparse reports whether a file may have holes.
func sparse(attr vfs.Attr) bool { return attr.Blocks*512 < attr.Size }

// advise lets the system read ahead where that hides round trips.
func advise(src vfs.File, attr vfs.Attr, route *Route) {
	if !route.far || attr.Size <= route.bufferSize() {
		return
	}
	if a, ok := src.(vfs.ReadAdviser); ok {
		a.AdviseSequential()
	}
}

// clone shares the blocks of src with dst. Failing in any way it has changed
// nothing, and reading and writing will tell what is really wrong.
func clone(dst, src vfs.File, route *Route) bool {
	d, ok := dst.(vfs.Cloner)
	if !ok {
		return false
	}
	err := d.Clone(src)
	if errors.Is(err, errors.ErrUnsupported) {
		route.clone.refuse()
	}
	if err == nil {
		route.clone.succeed()
	}
	return err == nil
}

// copyExtents copies what is not a hole.
func (c *Copier) copyExtents(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) error {
	s, ok := src.(vfs.Extents)
	if !ok {
		_, err := c.copyRange(ctx, dst, src, attr, 0, attr.Size, route)
		return err
	}
	done := int64(0)
	for done < attr.Size {
		start, end, err := s.NextData(done)
		if err == io.EOF {
			break
		}
		if errors.Is(err, errors.ErrUnsupported) {
			_, err := c.copyRange(ctx, dst, src, attr, done, attr.Size, route)
			return err
		}
		if err != nil {
			return &ReadError{err}
		}
		start, end = min(start, attr.Size), min(end, attr.Size)
		if done > 0 && start > done {
			route.reclaim(dst, done, start-done)
		}
		c.Progress(start - done)
		if _, err := c.copyRange(ctx, dst, src, attr, start, end, route); err != nil {
			return err
		}
		done = end
	}
	if done == attr.Size {
		return nil
	}
	// Beyond its end a file has no data either.
	if err := unchanged(src, attr); err != nil {
		return err
	}
	if done > 0 {
		route.reclaim(dst, done, attr.Size-done)
	}
	c.Progress(attr.Size - done)
	return dst.Truncate(attr.Size)
}

// copyRange copies the bytes in [off, end), by the kernel if that pays, and returns
// how far it came: less than end without an error where src ends before its size.
func (c *Copier) copyRange(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off, end int64, route *Route) (int64, error) {
	if end-off >= smallFile || route.far && route.ranges.worked() {
		var err error
		if off, err = c.copyInKernel(ctx, dst, src, off, end, route); err != nil {
			return off, err
		}
	}
	return c.copyThrough(ctx, dst, src, attr, off, end, route)
}

// copyInKernel returns how far it came. An error of the call is none of ours:
// reading and writing go on from there and meet it again if it is real.
func (c *Copier) copyInKernel(ctx context.Context, dst, src vfs.File, off, end int64, route *Route) (int64, error) {
	d, ok := dst.(vfs.RangeCopier)
	if !ok {
		return off, nil
	}
	for off < end && route.ranges.open() {
		if ctx.Err() != nil {
			return off, context.Cause(ctx)
		}
		n, err := d.CopyRange(src, off, min(chunk, end-off))
		if errors.Is(err, errors.ErrUnsupported) {
			route.ranges.refuse()
		}
		if err != nil || n == 0 {
			return off, nil
		}
		route.ranges.succeed()
		off += n
		c.Progress(n)
	}
	return off, nil
}

// copyThrough copies through the buffer, and returns how far it came.
func (c *Copier) copyThrough(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off, end int64, route *Route) (int64, error) {
	for off < end {
		if ctx.Err() != nil {
			return off, context.Cause(ctx)
		}
		p := c.buffer(min(route.bufferSize(), end-off))
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
		c.Progress(int64(n))
	}
	return off, nil
}

// unchanged returns an error if f does not have the size any more that attr says.
func unchanged(f vfs.File, attr vfs.Attr) error {
	now, err := f.Stat()
	if err == nil && now.Size != attr.Size {
		err = ErrChanged
	}
	if err != nil {
		return &ReadError{err}
	}
	return nil
}

// copyToEnd copies until the source ends.
func (c *Copier) copyToEnd(ctx context.Context, dst, src vfs.File, route *Route) error {
	for off := int64(0); ; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p := c.buffer(smallFile)
		n, err := src.ReadAt(p, off)
		if err != nil && err != io.EOF {
			return &ReadError{err}
		}
		if n > 0 {
			if _, err := dst.WriteAt(p[:n], off); err != nil {
				return err
			}
			off += int64(n)
			c.Progress(int64(n))
		}
		if err == io.EOF {
			return nil
		}
	}
}

// buffer returns up to n bytes. It grows with the largest file so far, so that a
// thousand workers on small files stay small.
func (c *Copier) buffer(n int64) []byte {
	if c.MaxBuffer > 0 {
		n = min(n, max(c.MaxBuffer, smallFile))
	}
	if int64(len(c.buf)) < n {
		size := int64(smallFile)
		for size < n {
			size *= 4
		}
		c.buf = make([]byte, size)
	}
	return c.buf[:n]
}

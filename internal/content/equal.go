package content

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"psync/internal/vfs"
)

// piece is the number of bytes of a file that Equal reads at once.
const piece = 256 << 10

// Equal reports whether two files, both known to have this size, have the same contents. It compares bytes
// instead of checksums, because both files are at hand and Equal can stop at the first difference; but of a large
// file on a host that can hash it there, only checksums travel.
//
// Equal does not read ranges that are holes in both files. Equal stops between pieces once ctx is done and
// returns its cause. As with [Copier.Copy], an error of a, the source, is a *[ReadError], and an error of b is
// not. Either error may be [ErrChanged].
func (c *Copier) Equal(ctx context.Context, a, b vfs.File, size int64) (bool, error) {
	if c.Cache == CacheDrop {
		c.bypassCache(a, b, size)
	}
	if size <= piece {
		return c.equalRange(ctx, a, b, 0, size)
	}
	return c.equalParts(ctx, a, b, size)
}

// errDiffer reports that a range differs between the files.
var errDiffer = errors.New("the files differ")

// equalParts does what Equal does, with the help of other Copiers if they may.
func (c *Copier) equalParts(ctx context.Context, a, b vfs.File, size int64) (bool, error) {
	step := size
	if c.shares(size) {
		step = c.rangeSize()
	}
	r := newRanges(size, size, step)
	r.seek = func(off int64) (start, end int64, err error) { return nextData(a, b, off, size) }
	r.deal = func(ctx context.Context, c *Copier, p part) (int64, error) {
		equal, err := c.equalPart(ctx, a, b, p, size)
		switch {
		case err != nil:
			return p.off, err
		case !equal:
			return p.off, errDiffer
		}
		return p.end, nil
	}
	_, err := c.share(ctx, r)
	if err == errDiffer {
		return false, nil
	}
	return err == nil, err
}

// equalPart compares the data of a part.
func (c *Copier) equalPart(ctx context.Context, a, b vfs.File, p part, size int64) (bool, error) {
	if p.off == size {
		// Beyond its end a file has no data either.
		return endBeyond(a, b, size)
	}
	return c.equalRange(ctx, a, b, p.off, p.end)
}

// nextData returns the next range at or after off where one of the files may have
// data, and size twice if there is none before size.
func nextData(a, b vfs.File, off, size int64) (start, end int64, err error) {
	start, end, err = sourceData(a, off, size)
	if err != nil {
		return 0, 0, err
	}
	from, to, err := dataOf(b, off, size)
	switch {
	case err != nil:
		return 0, 0, err
	case from < start:
		return from, to, nil
	case from == start:
		return start, max(end, to), nil
	}
	return start, end, nil
}

// endBeyond returns true if both files still have their original size.
func endBeyond(a, b vfs.File, size int64) (bool, error) {
	if err := unchanged(a, vfs.Attr{Size: size}); err != nil {
		return false, err
	}
	if now, err := vfs.Stat(b); err != nil {
		return false, err
	} else if now.Size != size {
		return false, ErrChanged
	}
	return true, nil
}

// equalRange compares the bytes in [off, end). It reads both files at the same time if the range is longer than
// one piece.
func (c *Copier) equalRange(ctx context.Context, a, b vfs.File, off, end int64) (bool, error) {
	if end-off > piece && sums(a, b) {
		return c.equalBySums(ctx, a, b, off, end)
	}
	if end-off > piece {
		return c.equalAtOnce(ctx, a, b, off, end)
	}
	buf := c.buffer(2 * (end - off))
	defer buf.Free()
	half := len(buf.Bytes) / 2
	mine, other := buf.Bytes[:half], buf.Bytes[half:]
	for off < end {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		n := min(int64(len(mine)), end-off)
		if err := readFull(a, mine[:n], off); err != nil {
			return false, &ReadError{err}
		}
		if err := readFull(b, other[:n], off); err != nil {
			return false, err
		}
		if !bytes.Equal(mine[:n], other[:n]) {
			return false, nil
		}
		off += n
	}
	return true, nil
}

// equalAtOnce reads b in another goroutine, which may be some pieces ahead.
func (c *Copier) equalAtOnce(ctx context.Context, a, b vfs.File, off, end int64) (bool, error) {
	const parts = 4 // one for a, the others for b
	whole := c.buffer(parts * piece)
	defer whole.Free()
	buf := whole.Bytes
	size := len(buf) / parts
	free := make(chan []byte, parts-1)
	for i := 1; i < parts; i++ {
		free <- buf[i*size : (i+1)*size : (i+1)*size]
	}
	pieces := make(chan result, parts-1)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { readAhead(b, off, end, free, pieces, stop) })
	defer wg.Wait() // afterwards the Copier may reuse its buffer
	defer close(stop)
	for off < end {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		mine := buf[:min(int64(size), end-off)]
		if err := readFull(a, mine, off); err != nil {
			return false, &ReadError{err}
		}
		other := <-pieces
		if other.err != nil {
			return false, other.err
		}
		if !bytes.Equal(mine, other.data) {
			return false, nil
		}
		off += int64(len(mine))
		free <- other.data[:cap(other.data)]
	}
	return true, nil
}

// A result is the result of reading a piece.
type result struct {
	data []byte
	err  error
}

// readAhead reads [off, end) into free buffers, until an error or stop. Sending never blocks, because pieces
// has room for all buffers.
func readAhead(f vfs.File, off, end int64, free <-chan []byte, pieces chan<- result, stop <-chan struct{}) {
	for off < end {
		select {
		case <-stop:
			return
		case p := <-free:
			p = p[:min(int64(len(p)), end-off)]
			err := readFull(f, p, off)
			pieces <- result{p, err}
			if err != nil {
				return
			}
			off += int64(len(p))
		}
	}
}

// readFull fills p from offset off.
func readFull(f vfs.File, p []byte, off int64) error {
	n, err := f.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return ErrChanged
	}
	return err
}

package content

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"psync/internal/vfs"
)

const (
	// sumBlock is the number of bytes of a file that one checksum stands for.
	sumBlock = 1 << 20
	// mostSums limits the checksums that are asked for at once: few enough that an interrupt does not wait, and
	// that a host hashes the next ones while the answer travels.
	mostSums = 64
	// firstSums is how many are asked for at first, because files that differ mostly do so early.
	firstSums = 4
)

// sums reports whether checksums take the place of bytes that would have to travel from another host.
func sums(a, b vfs.File) bool { return (a.Caps() | b.Caps()).Has(vfs.CanSum) }

// A sumRange is a range of a file, and the checksums of its blocks.
type sumRange struct {
	off, end int64
	sums     []byte
	err      error
}

// eachSumRange calls yield with the parts of [off, end) that checksums are asked for at once, until it returns false.
func eachSumRange(off, end int64, yield func(off, end int64) bool) {
	for n := int64(firstSums * sumBlock); off < end; n = min(2*n, mostSums*sumBlock) {
		to := min(off+n, end)
		if !yield(off, to) {
			return
		}
		off = to
	}
}

// compareSums compares the blocks of [off, end) by their checksums, and calls yield with those that differ, in order,
// until it returns false. After each answer, yield gets an empty range at the end of what was compared. Both files are
// dealt with at the same time, by means of buf; b may be one request ahead.
func compareSums(ctx context.Context, a, b vfs.File, off, end int64, buf []byte, yield func(off, end int64) bool) error {
	mine, other := buf[:len(buf)/2], buf[len(buf)/2:]
	answers := make(chan sumRange, 1)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		eachSumRange(off, end, func(off, end int64) bool {
			r := sumsOf(ctx, b, off, end, other)
			select {
			case answers <- r:
			case <-stop:
			}
			select {
			case <-stop:
				return false
			default:
				return r.err == nil
			}
		})
	})
	defer wg.Wait() // afterwards buf may be used again
	defer close(stop)
	var err error
	eachSumRange(off, end, func(off, end int64) bool {
		here := sumsOf(ctx, a, off, end, mine)
		if here.err != nil {
			err = readError(ctx, here.err)
			return false
		}
		there := <-answers
		if err = there.err; err != nil {
			return false
		}
		return here.eachDifferent(there, yield) && yield(end, end)
	})
	return err
}

// readError returns an error of the source as that, unless it is that of ctx.
func readError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return &ReadError{err}
}

// eachDifferent calls yield with the blocks whose checksums differ, until it returns false.
func (r sumRange) eachDifferent(o sumRange, yield func(off, end int64) bool) bool {
	for i := 0; i < len(r.sums); i += sha256.Size {
		if bytes.Equal(r.sums[i:i+sha256.Size], o.sums[i:i+sha256.Size]) {
			continue
		}
		off := r.off + int64(i/sha256.Size)*sumBlock
		if !yield(off, min(off+sumBlock, r.end)) {
			return false
		}
	}
	return true
}

// sumsOf returns the checksums of a range, which it asks for, or else finds by reading the file into buf. They are as
// many as the range has blocks.
func sumsOf(ctx context.Context, f vfs.File, off, end int64, buf []byte) sumRange {
	r := sumRange{off: off, end: end}
	if f.Caps().Has(vfs.CanSum) {
		r.sums, r.err = f.Sums(off, end-off, sumBlock)
		if want := (end - off + sumBlock - 1) / sumBlock * sha256.Size; r.err == nil && int64(len(r.sums)) != want {
			r.err = ErrChanged
		}
		if !errors.Is(r.err, errors.ErrUnsupported) {
			return r
		}
		r.sums, r.err = nil, nil
	}
	h := sha256.New()
	for off < end && r.err == nil {
		if ctx.Err() != nil {
			r.err = context.Cause(ctx)
			break
		}
		p := buf[:min(int64(len(buf)), end-off, sumBlock-(off-r.off)%sumBlock)]
		if r.err = readFull(f, p, off); r.err != nil {
			break
		}
		_, r.err = h.Write(p)
		if off += int64(len(p)); off == end || (off-r.off)%sumBlock == 0 {
			r.sums = h.Sum(r.sums)
			h.Reset()
		}
	}
	return r
}

// equalBySums is equalRange by checksums. A file that has become shorter has others, too.
func (c *Copier) equalBySums(ctx context.Context, a, b vfs.File, off, end int64) (equal bool, err error) {
	buf := c.buffer(2 * piece)
	defer buf.free()
	equal = true
	err = compareSums(ctx, a, b, off, end, buf.bytes, func(off, end int64) bool {
		equal = off == end
		return equal
	})
	if equal || err != nil {
		return equal && err == nil, err
	}
	for _, f := range []vfs.File{a, b} {
		now, err := f.Stat()
		if err == nil && now.Size < end {
			err = ErrChanged
		}
		if err != nil && f == a {
			err = &ReadError{err}
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

package content

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"psync/internal/blocksum"
	"psync/internal/vfs"
)

// sums reports whether checksums take the place of bytes that would have to travel from another host.
func sums(a, b vfs.File) bool { return (a.Caps() | b.Caps()).Has(vfs.CanSum) }

// A sumsOrder says how the checksums of two files are asked for.
type sumsOrder struct {
	block int64  // bytes that one of them stands for
	key   []byte // of package blocksum
	first int64  // bytes of the first request, of which each is twice as large as the one before
	most  int64  // bytes of a request at most: few enough that an interrupt does not wait
	ahead int    // requests to a host that may be under way while others are dealt with
}

// toCompare asks for little at first, because files that differ mostly do so early.
var toCompare = sumsOrder{block: 1 << 20, first: 4 << 20, most: 64 << 20, ahead: 1}

// A sumRange is a range of a file, and the checksums of its blocks.
type sumRange struct {
	off, end int64
	sums     []byte
	err      error
}

// ranges returns the parts of [off, end) that checksums are asked for at once.
func (o *sumsOrder) ranges(off, end int64) (ranges []sumRange) {
	for n := o.first; off < end; n = min(2*n, o.most) {
		to := min(off+n, end)
		ranges = append(ranges, sumRange{off: off, end: to})
		off = to
	}
	return ranges
}

// compareSums compares the blocks of [off, end) by their checksums, and calls yield with the ranges that differ, in
// order, until it returns false. After each answer, yield gets an empty range at the end of what was compared. A file
// of which no host knows the checksums is read into buf, while requests about the other one are under way.
func compareSums(ctx context.Context, a, b vfs.File, off, end int64, o sumsOrder, buf []byte, yield func(off, end int64) bool) error {
	ranges := o.ranges(off, end)
	mine, other := newSumReader(a, ranges, o, buf), newSumReader(b, ranges, o, buf)
	defer mine.wait()
	defer other.wait()
	for i := range ranges {
		other.ask(i) // before a is read
		here := mine.next(ctx, i)
		if here.err != nil {
			return readError(ctx, here.err)
		}
		there := other.next(ctx, i)
		if there.err != nil {
			return there.err
		}
		if !here.eachDifferent(there, o, yield) || !yield(here.end, here.end) {
			return nil
		}
	}
	return nil
}

// readError returns an error of the source as that, unless it is that of ctx.
func readError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return err
	}
	return &ReadError{err}
}

// eachDifferent calls yield with the ranges of blocks whose checksums differ, until it returns false.
func (r sumRange) eachDifferent(other sumRange, o sumsOrder, yield func(off, end int64) bool) bool {
	size := blocksum.Size(o.key)
	start := int64(-1) // of blocks that differ
	for i, off := 0, r.off; off < r.end; i, off = i+size, off+o.block {
		switch same := bytes.Equal(r.sums[i:i+size], other.sums[i:i+size]); {
		case !same && start < 0:
			start = off
		case same && start >= 0:
			if !yield(start, off) {
				return false
			}
			start = -1
		}
	}
	return start < 0 || yield(start, r.end)
}

// A sumReader finds the checksums of ranges of a file, one after the other.
type sumReader struct {
	f       vfs.File
	order   sumsOrder
	ranges  []sumRange
	asked   int             // how many ranges a host was asked for
	answers []chan sumRange // that it sends; nil if there is none
	buf     []byte
	asking  sync.WaitGroup
}

func newSumReader(f vfs.File, ranges []sumRange, o sumsOrder, buf []byte) *sumReader {
	s := &sumReader{f: f, order: o, ranges: ranges, buf: buf}
	if f.Caps().Has(vfs.CanSum) {
		s.answers = make([]chan sumRange, len(ranges))
	}
	return s
}

// ask sends requests up to some behind range i.
func (s *sumReader) ask(i int) {
	for ; s.asked < len(s.answers) && s.asked <= i+s.order.ahead; s.asked++ {
		r, answer := s.ranges[s.asked], make(chan sumRange, 1)
		s.answers[s.asked] = answer
		s.asking.Go(func() {
			r.sums, r.err = s.f.Sums(r.off, r.end-r.off, s.order.block, s.order.key)
			answer <- r
		})
	}
}

// wait waits until no request is under way.
func (s *sumReader) wait() { s.asking.Wait() }

// next returns the checksums of range i. They are as many as the range has blocks.
func (s *sumReader) next(ctx context.Context, i int) sumRange {
	s.ask(i)
	r := s.ranges[i]
	if s.answers != nil {
		r = <-s.answers[i]
	}
	if s.answers == nil || errors.Is(r.err, errors.ErrUnsupported) {
		r.sums, r.err = blocksum.Of(s.f, r.off, r.end-r.off, s.order.block, s.order.key, s.buf, func() error { return context.Cause(ctx) })
	}
	if want := (r.end - r.off + s.order.block - 1) / s.order.block * int64(blocksum.Size(s.order.key)); r.err == nil && int64(len(r.sums)) != want {
		r.err = ErrChanged
	}
	return r
}

// equalBySums is equalRange by checksums. A file that has become shorter has others, too.
func (c *Copier) equalBySums(ctx context.Context, a, b vfs.File, off, end int64) (equal bool, err error) {
	buf := c.buffer(piece)
	defer buf.Free()
	equal = true
	err = compareSums(ctx, a, b, off, end, toCompare, buf.Bytes, func(off, end int64) bool {
		equal = off == end
		return equal
	})
	if equal || err != nil {
		return equal && err == nil, err
	}
	for _, f := range []vfs.File{a, b} {
		now, err := vfs.Stat(f)
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

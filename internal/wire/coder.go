package wire

import (
	"cmp"
	"encoding/binary"
	"io/fs"
	"math"
	"slices"
	"time"
	"unsafe"

	"psync/internal/buffer"
)

// A coder encodes values, or decodes them, so that one function says for both how a message is written.
// After an error, nothing more is decoded, and what is encoded is worthless.
type coder struct {
	buf      []byte // what has been encoded, or is to be decoded
	at       int    // where decoding goes on in buf: moving that would cost more, as the garbage collector looks on
	decoding bool
	err      error

	copies  bool           // buf will change, so that data is copied
	copied  *buffer.Buffer // what data refers to then
	hasData bool           // data has been decoded
	size    int            // bytes of memory that slices take which have been decoded
	handles Handles        // that have been decoded
}

// free makes a coder available to other frames.
func (c *coder) free() {
	*c = coder{}
	coders.Put(c)
}

func (c *coder) fail(err error) {
	c.err = cmp.Or(c.err, err)
	if c.decoding {
		c.at = len(c.buf)
	}
}

// rest returns what is left to be decoded.
func (c *coder) rest() []byte { return c.buf[c.at:] }

// take returns the next n bytes to be decoded.
func (c *coder) take(n uint64) []byte {
	from := c.at
	c.at += int(n)
	return c.buf[from:c.at:c.at]
}

// check fails unless a value is within its limits.
func (c *coder) check(ok bool, what string) {
	if !ok {
		c.fail(limitError(what))
	}
}

// A limitError says what is not within its limits.
type limitError string

func (e limitError) Error() string { return string(e) + " out of range" }

func (c *coder) uint64(p *uint64) { *p = c.number(*p) }

// number codes a number. Most take one byte.
func (c *coder) number(v uint64) uint64 {
	switch {
	case !c.decoding && v < 0x80:
		c.buf = append(c.buf, byte(v))
		return v
	case !c.decoding:
		c.buf = binary.AppendUvarint(c.buf, v)
		return v
	case c.at < len(c.buf) && c.buf[c.at] < 0x80:
		v = uint64(c.buf[c.at])
		c.at++
		return v
	}
	decoded, n := binary.Uvarint(c.rest())
	if n <= 0 || n > 1 && c.buf[c.at+n-1] == 0 {
		c.fail(errShort)
		return v
	}
	c.at += n
	return decoded
}

// unsigned codes a number that is at most most.
func unsigned[T ~uint8 | ~uint16 | ~uint32 | ~uint64](c *coder, p *T, most T, what string) {
	if v := c.number(uint64(*p)); v <= uint64(most) {
		*p = T(v)
	} else {
		c.fail(limitError(what))
	}
}

func (c *coder) uint32(p *uint32) { unsigned(c, p, math.MaxUint32, "number") }

func (c *coder) mode(p *fs.FileMode) { unsigned(c, p, math.MaxUint32, "mode") }

// int64 codes a number that may be negative.
func (c *coder) int64(p *int64) {
	v := c.number(uint64(*p)<<1 ^ uint64(*p>>63))
	*p = int64(v>>1) ^ -int64(v&1)
}

// offset codes a number of bytes, which is not negative.
func (c *coder) offset(p *int64) {
	c.check(*p >= 0, "offset")
	v := uint64(*p)
	unsigned(c, &v, math.MaxInt64, "offset")
	*p = int64(v)
}

// id codes the number of a user or group, or -1 for none.
func (c *coder) id(p *int) {
	v := int64(*p)
	c.int64(&v)
	c.check(v >= -1 && v <= math.MaxUint32, "user or group")
	*p = int(v)
}

func (c *coder) bool(p *bool) {
	var v uint8
	if *p {
		v = 1
	}
	unsigned(c, &v, 1, "truth value")
	*p = v == 1
}

// bools codes up to 32 truth values in one number.
func (c *coder) bools(ps ...*bool) {
	var v uint32
	for i, p := range ps {
		if *p {
			v |= 1 << i
		}
	}
	unsigned(c, &v, 1<<len(ps)-1, "set of truth values")
	for i, p := range ps {
		*p = v>>i&1 != 0
	}
}

// time codes the seconds since 1970 after a one, or a zero for the zero time.
func (c *coder) time(p *time.Time) {
	is := !p.IsZero()
	c.bool(&is)
	if !is {
		*p = time.Time{}
		return
	}
	sec, nsec := p.Unix(), uint32(p.Nanosecond())
	c.int64(&sec)
	unsigned(c, &nsec, 999_999_999, "nanoseconds")
	if c.decoding {
		*p = time.Unix(sec, int64(nsec))
		c.check(!p.IsZero(), "time")
	}
}

// data codes up to MaxData bytes. Decoded ones are those of the frame, or of a copy of what is left of it.
func (c *coder) data(p *[]byte) {
	if c.copies && c.copied == nil {
		c.copied = buffer.New(len(c.rest()))
		copy(c.copied.Bytes, c.rest())
		c.buf, c.at = c.copied.Bytes, 0
	}
	c.hasData = true
	c.slice(p, MaxData)
}

// bytes codes up to most bytes.
func (c *coder) bytes(p *[]byte, most int) {
	c.slice(p, most)
	if c.decoding {
		*p = slices.Clone(*p)
	}
}

func (c *coder) slice(p *[]byte, most int) {
	n := uint64(len(*p))
	unsigned(c, &n, uint64(most), "length")
	switch {
	case !c.decoding:
		c.buf = append(c.buf, *p...)
	case c.err != nil:
	case n > uint64(len(c.rest())):
		c.fail(errShort)
	case n > 0:
		*p = c.take(n)
		c.size += int(n)
	}
}

// string codes a string of up to most bytes without NUL.
func (c *coder) string(p *string, most int) {
	n := uint64(len(*p))
	unsigned(c, &n, uint64(most), "length")
	switch {
	case !c.decoding:
		c.buf = append(c.buf, *p...)
	case c.err != nil:
		return
	case n > uint64(len(c.rest())):
		c.fail(errShort)
		return
	default:
		*p = string(c.take(n))
	}
	c.check(!hasNUL(*p), "NUL")
}

// list codes a slice of elements of which each takes at least size bytes, so that a number of elements which
// cannot be there is refused before memory is taken for them.
func list[T any](c *coder, p *[]T, size int, each func(*T, *coder)) {
	n := uint64(len(*p))
	c.uint64(&n)
	if c.decoding && c.err == nil {
		if n > uint64(len(c.rest())/size) {
			c.fail(errShort)
			return
		}
		*p = nil
		if n > 0 {
			*p = make([]T, n)
			c.size += int(n) * int(unsafe.Sizeof((*p)[0]))
		}
	}
	for i := range *p {
		if c.decoding && c.err != nil {
			return
		}
		each(&(*p)[i], c)
	}
}

// atMost refuses a list that follows if it has more elements, before memory is taken for them.
func (c *coder) atMost(most uint64, n int, what string) {
	length := uint64(n)
	if c.decoding {
		length, _ = binary.Uvarint(c.rest()) // list refuses an invalid number
	}
	c.check(length <= most, what)
}

// optional codes what may be missing.
func optional[T any](c *coder, p **T, fields func(*T, *coder)) {
	is := *p != nil
	c.bool(&is)
	if !is {
		return
	}
	if c.decoding {
		*p = new(T)
	}
	fields(*p, c)
}

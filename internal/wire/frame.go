// Package wire defines the frames that psync and a psync on another host exchange: their encoding, and the limits
// within which a frame is accepted. It does no I/O.
//
// A frame is a length of four bytes, a kind of one byte, an identifier and the fields of a message, in the order
// of their declaration. A batch of frames may be compressed: then it is what a frame of one more kind holds. Lengths are big-endian; other numbers are varints, of which only the shortest is accepted,
// so that there is one encoding of each message. What [Decode] accepts from a hostile peer is safe to use: names
// are single path elements, numbers are within their limits, and no more memory is taken than a small multiple of
// what the peer has sent.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"psync/internal/buffer"
)

// Major is the version of the protocol. Peers of different versions do not understand each other.
const Major = 9

// Magic is what a server writes before its first frame. HeardMagic is what it writes instead if its command line has
// the first frames of the client, which then does not send them.
var (
	Magic      = [16]byte{'p', 's', 'y', 'n', 'c', ' ', 's', 'e', 'r', 'v', 'e', '\r', '\n', 0, 0xff, Major}
	HeardMagic = [16]byte{'p', 's', 'y', 'n', 'c', ' ', 's', 'e', 'r', 'v', 'e', '\r', '\n', 1, 0xff, Major}
)

const (
	// MaxFrame is the greatest length of a frame in bytes, without the four bytes that say it.
	MaxFrame = MaxData + 64<<10
	// MaxData is how many bytes of a file, or of an attribute, a message holds at most.
	MaxData = 1 << 20
	// LengthSize is how many bytes the length of a frame takes.
	LengthSize = 4
)

// A Frame is what goes over a channel: an identifier that an answer has in common with its request, and a message.
type Frame struct {
	ID      uint64
	Message Message
	Handles Handles // that Message names, when it has been decoded
	Size    int     // bytes of memory that lists and contents in Message take, likewise

	buffer *buffer.Buffer // that Data refers to, or nil
}

// errShort is why a frame is refused that ends within a value, or has a number that is not as short as it can be.
var errShort = errors.New("a value is cut off or not in its shortest form")

// coders holds coders that are not in use: they would be allocated for each frame, as fields is called through
// an interface.
var coders = sync.Pool{New: func() any { return new(coder) }}

// Append appends a frame, with its length, to dst. It refuses what Decode would refuse, and returns dst then.
func Append(dst []byte, f Frame) ([]byte, error) {
	c := coders.Get().(*coder)
	defer c.free()
	c.buf = append(dst, 0, 0, 0, 0, kinds().of[reflect.TypeOf(f.Message)].number)
	c.uint64(&f.ID)
	f.Message.fields(c)
	n := len(c.buf) - len(dst) - LengthSize
	if n > MaxFrame {
		c.fail(fmt.Errorf("has %d bytes, more than a frame holds", n))
	}
	if c.err != nil {
		return dst, fmt.Errorf("encode %T: %w", f.Message, c.err)
	}
	binary.BigEndian.PutUint32(c.buf[len(dst):], uint32(n))
	return c.buf, nil
}

// Length returns the length of a frame, which its first LengthSize bytes say, or an error if there is no such
// frame.
func Length(prefix []byte) (int, error) {
	n := binary.BigEndian.Uint32(prefix)
	if n < 2 || n > MaxFrame {
		return 0, fmt.Errorf("a frame of %d bytes", n)
	}
	return int(n), nil
}

// Decode decodes a frame, which is not compressed, without its length. Data of the message refers to the bytes of the
// frame.
func Decode(frame []byte) (Frame, error) {
	f, _, err := decode(frame, false)
	return f, err
}

// DecodeCopy is Decode of a frame whose bytes will change: Data refers to a copy of them.
func DecodeCopy(frame []byte) (Frame, error) {
	f, _, err := decode(frame, true)
	return f, err
}

// decode decodes a frame, and reports whether Data of the message refers to its bytes or, if copies is true, to a copy
// of them that the frame then holds.
func decode(frame []byte, copies bool) (f Frame, hasData bool, err error) {
	if len(frame) < 2 || len(frame) > MaxFrame {
		return Frame{}, false, fmt.Errorf("a frame of %d bytes", len(frame))
	}
	number, empty := int(frame[0]), kinds().empty
	if number == 0 || number >= len(empty) {
		return Frame{}, false, fmt.Errorf("a frame of the unknown kind %d", number)
	}
	f.Message = empty[number]()
	c := coders.Get().(*coder)
	defer c.free()
	c.decoding, c.copies, c.buf = true, copies, frame[1:]
	c.uint64(&f.ID)
	f.Message.fields(c)
	if left := len(c.rest()); left > 0 {
		c.fail(fmt.Errorf("followed by %d bytes", left))
	}
	f.Handles, f.Size, f.buffer = c.handles, c.size, c.copied
	if c.err != nil {
		f.Release()
		return Frame{}, false, fmt.Errorf("a malformed frame, %T: %w", f.Message, c.err)
	}
	return f, c.hasData, nil
}

package link

import (
	"bufio"
	"errors"
	"io"

	"psync/internal/buffer"
	"psync/internal/wire"
)

// A reader reads frames from a channel.
type reader struct {
	*bufio.Reader
	compressor *wire.Compressor
	batch      *buffer.Buffer // that came compressed, and holds rest
	rest       []byte         // frames that came and were not returned
}

var errWithin = errors.New("a batch that ends within a frame")

// next returns a frame. An error of the channel is a *ChannelError: io.EOF if it ends before the
// frame, and io.ErrUnexpectedEOF if it ends within.
func (r *reader) next() (f wire.Frame, err error) {
	if len(r.rest) > 0 {
		return r.unpack()
	}
	prefix, err := r.Peek(wire.LengthSize)
	if len(prefix) == 0 && err == io.EOF {
		return f, &ChannelError{err}
	} else if err != nil {
		return f, &ChannelError{within(err)}
	}
	n, err := wire.Length(prefix)
	if err != nil {
		return f, err
	}
	_, _ = r.Discard(wire.LengthSize) // what is there
	if n <= r.Size() {
		frame, err := r.Peek(n)
		if err != nil {
			return f, &ChannelError{within(err)}
		}
		defer func() { _, _ = r.Discard(n) }()
		if wire.IsCompressed(frame) {
			return r.decompress(frame)
		}
		f, err = wire.DecodeCopy(frame)
		return f, err
	}
	b := buffer.New(n)
	if _, err := io.ReadFull(r, b.Bytes); err != nil {
		return f, &ChannelError{within(err)}
	}
	if wire.IsCompressed(b.Bytes) {
		defer b.Free()
		return r.decompress(b.Bytes)
	}
	f, err = wire.DecodeBuffer(b)
	return f, err
}

// decompress returns the first frame of a batch that a frame holds compressed.
func (r *reader) decompress(frame []byte) (f wire.Frame, err error) {
	if r.batch, err = r.compressor.Decompress(frame); err != nil {
		return f, err
	}
	r.rest = r.batch.Bytes
	return r.unpack()
}

// unpack returns the next frame of a batch.
func (r *reader) unpack() (f wire.Frame, err error) {
	if len(r.rest) < wire.LengthSize {
		return f, errWithin
	}
	n, err := wire.Length(r.rest)
	if err != nil {
		return f, err
	}
	size := wire.LengthSize + n
	if size > len(r.rest) {
		return f, errWithin
	}
	f, err = wire.DecodeCopy(r.rest[wire.LengthSize:size])
	if r.rest = r.rest[size:]; len(r.rest) == 0 {
		r.batch.Free()
	}
	return f, err
}

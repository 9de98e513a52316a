package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"psync/internal/buffer"
)

// compressed is a bit of the byte of the kind. What follows that byte is then the length of what followed it
// before, and that compressed.
const compressed = 0x80

const (
	sampleSize = 8 << 10        // bytes of which shrinking is tried
	sampleFrom = 4 * sampleSize // bytes of a frame, from which on a sample is taken
	minShrunk  = 64             // bytes of a frame, below which compressing is not worth it
	window     = MaxData        // bytes that zstd looks back
)

// A Compressor compresses and decompresses frames. All methods are safe for concurrent use.
type Compressor struct {
	encoder func() (*zstd.Encoder, error) // made when it is first used, for it takes megabytes
	decoder func() (*zstd.Decoder, error)
}

// NewCompressor returns a Compressor.
func NewCompressor() *Compressor {
	return &Compressor{
		encoder: sync.OnceValues(func() (*zstd.Encoder, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
				zstd.WithWindowSize(window))
		}),
		decoder: sync.OnceValues(func() (*zstd.Decoder, error) {
			return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(MaxFrame),
				zstd.WithDecoderMaxWindow(2*window), zstd.WithDecodeAllCapLimit(true))
		}),
	}
}

// IsCompressed reports whether a frame, without its length, is compressed.
func IsCompressed(frame []byte) bool { return frame[0]&compressed != 0 }

// Compress appends a frame, which Append has encoded, in its compressed form to dst, if that is shorter. With
// sample, it does so only where that is shorter by a tenth, and does not try if the middle of a long frame does not
// shrink. It returns dst and false if it has appended nothing.
func (c *Compressor) Compress(dst, frame []byte, sample bool) ([]byte, bool) {
	body := frame[LengthSize+1:]
	e, err := c.encoder()
	if err != nil || len(body) < minShrunk || sample && len(body) >= sampleFrom && !shrinks(e, body) {
		return dst, false
	}
	out := append(dst, 0, 0, 0, 0, frame[LengthSize]|compressed)
	out = binary.AppendUvarint(out, uint64(len(body)))
	out = e.EncodeAll(body, out)
	n := len(out) - len(dst)
	if sample && n > len(frame)-len(frame)/10 || n >= len(frame) {
		return dst, false
	}
	binary.BigEndian.PutUint32(out[len(dst):], uint32(n-LengthSize))
	return out, true
}

// shrinks reports whether the middle of a frame shrinks by a tenth.
func shrinks(e *zstd.Encoder, body []byte) bool {
	b := buffer.New(2 * sampleSize)
	defer b.Free()
	from := (len(body) - sampleSize) / 2
	return len(e.EncodeAll(body[from:from+sampleSize], b.Bytes[:0])) <= sampleSize-sampleSize/10
}

var errCompressed = errors.New("a compressed frame of another length than it says")

// Decompress decompresses a frame without its length. It takes no more memory than the frame says, within the
// limit of frames.
func (c *Compressor) Decompress(frame []byte) (*buffer.Buffer, error) {
	n, size := binary.Uvarint(frame[1:])
	if size <= 0 || n == 0 || n >= MaxFrame {
		return nil, errCompressed
	}
	d, err := c.decoder()
	if err != nil {
		return nil, err
	}
	b := buffer.New(1 + int(n))
	b.Bytes[0] = frame[0] &^ compressed
	out, err := d.DecodeAll(frame[1+size:], b.Bytes[1:1:1+n])
	switch {
	case err != nil:
		err = fmt.Errorf("a malformed compressed frame: %w", err)
	case uint64(len(out)) != n:
		err = errCompressed
	}
	if err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

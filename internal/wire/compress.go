package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"psync/internal/buffer"
)

// compressed is the kind of a frame that holds the length of a batch, and the batch compressed: other frames with their
// lengths, one after the other.
const compressed = 0x80

// MaxBatch is how many bytes a batch has at most.
const MaxBatch = MaxFrame + 256<<10

const (
	samples    = 4              // pieces of a batch of which shrinking is tried
	sampleSize = 8 << 10        // bytes of all of these
	sampleFrom = 4 * sampleSize // bytes of a batch, from which on samples are taken
	minShrunk  = 64             // bytes of a batch, below which compressing is not worth it
	window     = MaxData        // bytes that zstd looks back
)

// A Compressor compresses and decompresses batches. All methods are safe for concurrent use.
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
			return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(MaxBatch),
				zstd.WithDecoderMaxWindow(2*window), zstd.WithDecodeAllCapLimit(true))
		}),
	}
}

// IsCompressed reports whether a frame, without its length, holds a compressed batch.
func IsCompressed(frame []byte) bool { return frame[0] == compressed }

// Compress appends a frame to dst that holds a batch compressed, if that is shorter. With sample, it does so only where
// that is shorter by a tenth, and does not try if pieces of a long batch do not shrink. It returns dst and false if it has
// appended nothing.
func (c *Compressor) Compress(dst, batch []byte, sample bool) ([]byte, bool) {
	if len(batch) < minShrunk || len(batch) > MaxBatch {
		return dst, false
	}
	e, err := c.encoder()
	if err != nil || sample && len(batch) >= sampleFrom && !shrinks(e, batch) {
		return dst, false
	}
	out := append(dst, 0, 0, 0, 0, compressed)
	out = binary.AppendUvarint(out, uint64(len(batch)))
	out = e.EncodeAll(batch, out)
	n := len(out) - len(dst)
	if sample && n > len(batch)-len(batch)/10 || n >= len(batch) || n > LengthSize+MaxFrame {
		return dst, false
	}
	binary.BigEndian.PutUint32(out[len(dst):], uint32(n-LengthSize))
	return out, true
}

// shrinks reports whether pieces from all over a batch shrink by a tenth.
func shrinks(e *zstd.Encoder, batch []byte) bool {
	b := buffer.New(3 * sampleSize)
	defer b.Free()
	pieces := b.Bytes[:0]
	for i := range samples {
		from := len(batch) * (2*i + 1) / (2 * samples)
		pieces = append(pieces, batch[from:from+sampleSize/samples]...)
	}
	return len(e.EncodeAll(pieces, pieces[sampleSize:])) <= sampleSize-sampleSize/10
}

var errCompressed = errors.New("a compressed batch of another length than it says")

// Decompress returns the batch that a frame, given without its length, holds compressed. It takes no more memory than the
// frame says, within the limit of batches.
func (c *Compressor) Decompress(frame []byte) (*buffer.Buffer, error) {
	n, size := binary.Uvarint(frame[1:])
	if size <= 0 || n == 0 || n > MaxBatch {
		return nil, errCompressed
	}
	d, err := c.decoder()
	if err != nil {
		return nil, err
	}
	b := buffer.New(int(n))
	out, err := d.DecodeAll(frame[1+size:], b.Bytes[:0:n])
	switch {
	case err != nil:
		err = fmt.Errorf("a malformed compressed batch: %w", err)
	case uint64(len(out)) != n:
		err = errCompressed
	}
	if err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

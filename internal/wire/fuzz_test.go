package wire_test

import (
	"bytes"
	"testing"

	"psync/internal/wire"
)

// FuzzDecode holds that there is one encoding of each message: what is decoded is encoded to the same bytes.
func FuzzDecode(f *testing.F) {
	c := wire.NewCompressor()
	for _, m := range samples() {
		frame, err := wire.Append(nil, wire.Frame{ID: 1, Message: m})
		if err != nil {
			f.Fatal(err)
		}
		if len(frame) < 4096 {
			f.Add(frame[wire.LengthSize:])
		}
		if small, ok := c.Compress(nil, frame, false); ok {
			f.Add(small[wire.LengthSize:])
		}
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		if len(frame) > 1 && wire.IsCompressed(frame) {
			b, err := c.Decompress(frame)
			if err != nil {
				return
			}
			if len(b.Bytes) < wire.LengthSize {
				return
			}
			frame = b.Bytes[wire.LengthSize:]
		}
		got, err := wire.Decode(frame)
		if err != nil {
			return
		}
		again, err := wire.Append(nil, got)
		if err != nil || !bytes.Equal(again[wire.LengthSize:], frame) {
			t.Errorf("%T: encoded again, error %v:\n%x, want\n%x", got.Message, err, again, frame)
		}
	})
}

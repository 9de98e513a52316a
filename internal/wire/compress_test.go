package wire_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"psync/internal/wire"
)

func encoded(tb testing.TB, m wire.Message) []byte {
	tb.Helper()
	frame, err := wire.Append(nil, wire.Frame{ID: 7, Message: m})
	if err != nil {
		tb.Fatal(err)
	}
	return frame
}

func random(n int) []byte {
	p := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(p)
	return p
}

func TestCompressedFramesReturn(t *testing.T) {
	c := wire.NewCompressor()
	shrunk := 0
	for _, m := range append(samples(), &wire.Data{Data: bytes.Repeat([]byte("text"), wire.MaxData/4)}) {
		frame := encoded(t, m)
		small, ok := c.Compress([]byte("before"), frame, false)
		if small = small[len("before"):]; !ok {
			continue
		}
		shrunk++
		n, err := wire.Length(small)
		if small = small[wire.LengthSize:]; err != nil || n != len(small) || n >= len(frame) || !wire.IsCompressed(small) {
			t.Errorf("%T: length %d of %d bytes, error %v", m, n, len(small), err)
		}
		b, err := c.Decompress(small)
		if err != nil {
			t.Errorf("%T: %v", m, err)
			continue
		}
		if !bytes.Equal(b.Bytes, frame) {
			t.Errorf("%T: other bytes", m)
			continue
		}
		if got, err := wire.Decode(b.Bytes[wire.LengthSize:]); err != nil || got.ID != 7 || !reflect.DeepEqual(got.Message, m) {
			t.Errorf("%T: error %v, got\n%+v, want\n%+v", m, err, got.Message, m)
		}
	}
	if shrunk < 3 {
		t.Errorf("%d frames became shorter", shrunk)
	}
}

func TestWhatDoesNotShrinkIsNotCompressed(t *testing.T) {
	c := wire.NewCompressor()
	text := bytes.Repeat([]byte("some text "), 10_000)
	for _, tt := range []struct {
		name        string
		data        []byte
		always, any bool // without and with a sample
	}{
		{"little", text[:32], false, false},
		{"text", text[:4096], true, true},
		{"much text", text, true, true},
		{"noise", random(4096), false, false},
		{"much noise", random(200_000), false, false},
		{"noise with a little text", joined(text[:1500], random(20_000)), true, false},
		{"noise between texts", joined(text, random(20_000), text), true, true},
	} {
		frame := encoded(t, &wire.Data{Data: tt.data})
		if _, ok := c.Compress(nil, frame, false); ok != tt.always {
			t.Errorf("%s: compressed: %v", tt.name, ok)
		}
		if got, ok := c.Compress([]byte("x"), frame, true); ok != tt.any || !ok && string(got) != "x" {
			t.Errorf("%s, with a sample: compressed: %v", tt.name, ok)
		}
	}
}

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// TestBombsAreRefused has frames that are longer than they say, or than any may be.
func TestBombsAreRefused(t *testing.T) {
	c := wire.NewCompressor()
	frame := encoded(t, &wire.Data{Data: make([]byte, wire.MaxData)})
	small, ok := c.Compress(nil, frame, false)
	if !ok {
		t.Fatal("zeros do not shrink")
	}
	small = small[wire.LengthSize:]
	said, size := binary.Uvarint(small[1:])
	zstd := small[1+size:]
	for name, frame := range map[string][]byte{
		"no length":         small[:1],
		"no contents":       small[:1+size],
		"length 0":          append(binary.AppendUvarint(small[:1:1], 0), zstd...),
		"more than it says": append(binary.AppendUvarint(small[:1:1], said-1), zstd...),
		"less than it says": append(binary.AppendUvarint(small[:1:1], said+1), zstd...),
		"beyond the limit":  append(binary.AppendUvarint(small[:1:1], 1<<40), zstd...),
		"twice":             append(append(binary.AppendUvarint(small[:1:1], said), zstd...), zstd...),
		"damaged":           append(binary.AppendUvarint(small[:1:1], said), zstd[:len(zstd)-3]...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Decompress(frame)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 16<<20 {
			t.Errorf("%s: error %v, %d bytes", name, err, got)
		}
	}
	if _, err := wire.Decode(small); err == nil {
		t.Error("a compressed frame is decoded as it is")
	}
}

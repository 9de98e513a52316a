package link_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/wire"
	"psync/internal/wire/link"
)

// A slowConn takes time for each byte that is read, and counts them.
type slowConn struct {
	net.Conn
	perByte time.Duration
	bytes   *atomic.Int64
}

func (c slowConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytes.Add(int64(n))
	time.Sleep(time.Duration(n) * c.perByte) // in a bubble, which has a clock of its own
	return n, err
}

// part returns the bytes that a frame holds: others than those of other frames, unless data has no more.
func part(data []byte, frame uint64) []byte {
	const size = 16 << 10
	from := int(frame) * size % len(data)
	return data[from:min(from+size, len(data))]
}

func TestWhatIsCompressed(t *testing.T) {
	const frames, size = 400, 16 << 10
	text := bytes.Repeat([]byte("some text"), size/9)
	noise := make([]byte, frames*size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	for _, tt := range []struct {
		name     string
		compress wire.Compression
		perByte  time.Duration
		data     []byte
		channels int
		shrinks  bool
	}{
		{"slow", wire.CompressAuto, time.Microsecond, text, 1, true},
		{"slow, many channels", wire.CompressAuto, time.Microsecond, text, 8, true},
		{"slow, noise", wire.CompressAuto, time.Microsecond, noise, 1, false},
		{"slow, never", wire.CompressNever, time.Microsecond, text, 1, false},
		{"fast", wire.CompressAuto, 5 * time.Nanosecond, text, 1, false},
		{"many channels", wire.CompressAuto, 50 * time.Nanosecond, text, 8, true}, // where compressing takes no time
		{"fast, always", wire.CompressAlways, 0, text, 1, true},
		{"noise, always", wire.CompressAlways, 0, noise, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bytesRead atomic.Int64
				got := newCollector(2 * frames)
				one := link.New(link.Options{Receive: ignore, Compress: tt.compress})
				other := link.New(link.Options{Receive: got.receive})
				for range tt.channels {
					x, y := net.Pipe()
					one.Add(x)
					other.Add(slowConn{y, tt.perByte, &bytesRead})
				}
				for id := range uint64(frames) {
					m := &wire.Write{Off: int64(id), Data: part(tt.data, id)}
					if err := one.Send(wire.Frame{ID: id, Message: m}); err != nil {
						t.Fatal(err)
					}
					if err := one.Send(wire.Frame{ID: id, Message: &wire.Ping{}}); err != nil {
						t.Fatal(err)
					}
				}
				for range 2 * frames {
					f := <-got.frames
					if _, ok := f.Message.(*wire.Ping); ok {
						continue
					}
					if w, ok := f.Message.(*wire.Write); !ok || w.Off != int64(f.ID) || !bytes.Equal(w.Data, part(tt.data, f.ID)) {
						t.Errorf("frame %d has other data", f.ID)
					}
					f.Release()
				}
				if all := int64(frames * size); (bytesRead.Load() < all/2) != tt.shrinks {
					t.Errorf("%d bytes for %d", bytesRead.Load(), all)
				}
				_ = one.Close()
				_ = other.Close()
				time.Sleep(time.Second) // until the last frame is read
			})
		})
	}
}

// TestSmallBatchesOnAFastPath sends frames one at a time, as small files are sent: none makes a batch that is measured by
// itself.
func TestSmallBatchesOnAFastPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const frames = 1000
		text := bytes.Repeat([]byte("some text"), 500)
		var bytesRead atomic.Int64
		got := newCollector(1)
		one := link.New(link.Options{Receive: ignore, Compress: wire.CompressAuto})
		other := link.New(link.Options{Receive: got.receive})
		x, y := net.Pipe()
		one.Add(x)
		other.Add(slowConn{y, 5 * time.Nanosecond, &bytesRead})
		for id := range uint64(frames) {
			if err := one.Send(wire.Frame{ID: id, Message: &wire.Write{Data: text}}); err != nil {
				t.Fatal(err)
			}
			f := <-got.frames
			f.Release()
		}
		if all := int64(frames * len(text)); bytesRead.Load() < all {
			t.Errorf("%d bytes for %d", bytesRead.Load(), all)
		}
		_ = one.Close()
		_ = other.Close()
		time.Sleep(time.Second) // until the last frame is read
	})
}

// BenchmarkCompress has frames compressed that hold blocks of several sizes.
func BenchmarkCompress(b *testing.B) {
	var text []byte
	for i := range 40_000 {
		text = fmt.Appendf(text, "line %d of some text\n", i*i)
	}
	for _, size := range []int{4 << 10, 256 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			frame, err := wire.Append(nil, wire.Frame{Message: &wire.Write{Data: text[:size]}})
			if err != nil {
				b.Fatal(err)
			}
			c := wire.NewCompressor()
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out, _ = c.Compress(out[:0], frame, true)
			}
			b.ReportMetric(float64(len(out))/float64(len(frame)), "ratio")
		})
	}
}

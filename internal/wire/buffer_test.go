package wire_test

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"psync/internal/buffer"
	"psync/internal/vfs"
	"psync/internal/wire"
)

func TestBuffersAreLittleLargerThanFrames(t *testing.T) {
	for n := 1; n <= wire.MaxFrame; n += 1 + n/10 {
		b := buffer.New(n)
		if len(b.Bytes) != n || cap(b.Bytes) > 2*n+2048 {
			t.Errorf("%d bytes of %d, want %d", len(b.Bytes), cap(b.Bytes), n)
		}
		b.Free()
	}
	for size := 4 << 10; size <= wire.MaxData; size *= 2 {
		if b := buffer.New(size + 100); cap(b.Bytes) > size+1024 {
			t.Errorf("%d bytes for a block of %d", cap(b.Bytes), size)
		}
	}
}

// TestFramesMayChange changes the bytes of frames after they have been decoded: only Data refers to them, and not to
// those of a frame that is copied.
func TestFramesMayChange(t *testing.T) {
	for _, m := range samples() {
		frame, err := wire.Append(nil, wire.Frame{Message: m})
		if err != nil {
			t.Fatal(err)
		}
		frame = frame[wire.LengthSize:]
		b := buffer.New(len(frame))
		copy(b.Bytes, frame)
		held, err := wire.DecodeBuffer(b)
		if err != nil {
			t.Fatal(err)
		}
		copied, err := wire.DecodeCopy(b.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Bytes {
			b.Bytes[i] ^= 0xff
		}
		if !reflect.DeepEqual(copied.Message, m) {
			t.Errorf("%T is %+v, copied, want %+v", m, copied.Message, m)
		}
		same := reflect.DeepEqual(held.Message, m)
		if withData := hasData(m); !same && !withData || held.HasBuffer() != withData || copied.HasBuffer() != withData {
			t.Errorf("%T stays the same: %v, holds buffers: %v, %v, has Data: %v", m, same, held.HasBuffer(), copied.HasBuffer(), withData)
		}
	}
}

func hasData(m wire.Message) bool {
	switch m := m.(type) {
	case *wire.Put:
		return true // in Parts
	case *wire.Got:
		return m.Whole
	}
	return reflect.ValueOf(m).Elem().FieldByName("Data").IsValid()
}

// TestHostileFramesTakeLittleMemory decodes the frames of which the messages are largest.
func TestHostileFramesTakeLittleMemory(t *testing.T) {
	const most = 64 << 20
	for _, m := range []wire.Message{
		&wire.Paths{Paths: make([]string, 1<<12)},
		&wire.SetAnswer{Errors: make([]*wire.Error, wire.MaxFrame-100)},
		&wire.SetAnswer{Errors: repeat(&wire.Error{}, (wire.MaxFrame-100)/4)},
		&wire.Names{Names: repeat("n", (wire.MaxFrame-100)/2)},
		&wire.Put{Name: "n", Parts: make([]wire.Part, (wire.MaxFrame-100)/2)},
		&wire.Set{Changes: make([]vfs.Change, (wire.MaxFrame-100)/18)},
		&wire.Listing{Entries: repeat(wire.Entry{Name: "n", Target: "t", Extra: &wire.Extra{FlagsError: &wire.Error{}, XattrError: &wire.Error{}}}, 1<<12)},
		&wire.Listing{Entries: []wire.Entry{{Name: "n", Extra: &wire.Extra{Xattrs: repeat(wire.Xattr{Name: "n", Value: []byte("v")}, (wire.MaxFrame-100)/5)}}}},
		&wire.PathQuery{Path: strings.Repeat("p", 64<<10)},
	} {
		frame, err := wire.Append(nil, wire.Frame{Message: m})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = wire.Decode(frame[wire.LengthSize:])
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > most {
			t.Errorf("%T: %d bytes for %d, error %v", m, got, len(frame), err)
		}
	}
}

func repeat[T any](v T, n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func TestReleasedMemoryIsUsedAgain(t *testing.T) {
	for i := range 10 {
		frame, err := wire.Append(nil, wire.Frame{Message: &wire.Data{Data: fmt.Append(nil, "data ", i)}})
		if err != nil {
			t.Fatal(err)
		}
		b := buffer.New(len(frame) - wire.LengthSize)
		copy(b.Bytes, frame[wire.LengthSize:])
		f, err := wire.DecodeBuffer(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Message.(*wire.Data).Data; !bytes.Equal(got, fmt.Append(nil, "data ", i)) {
			t.Errorf("data %q", got)
		}
		f.Release()
	}
}

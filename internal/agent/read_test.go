package agent

import (
	"bytes"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"psync/internal/blocksum"
	"psync/internal/wire"
)

// after sets the clock of a server ahead, or back.
func after(d time.Duration) func(*server) {
	return func(s *server) { s.now = func() time.Time { return time.Now().Add(d) } }
}

func TestGet(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, "data", dir, "f")
	writeFile(t, "", dir, "empty")
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what, name string
		max        uint32
		clock      time.Duration
		whole      bool
	}{
		{"small", "f", 4, time.Hour, true},
		{"empty", "empty", 4, time.Hour, true},
		{"empty, to be opened", "empty", 0, time.Hour, false},
		{"larger", "f", 3, time.Hour, false},
		{"just changed", "f", 4, 0, false},
		{"changed in the future", "f", 4, -time.Hour, false},
		{"a directory", "d", 4, time.Hour, false},
	} {
		t.Run(tt.what, func(t *testing.T) {
			c := connect(t, Options{}, after(tt.clock))
			c.open(1, dir)
			got := must[wire.Got](c, &wire.Get{New: 7, Dir: 1, Name: tt.name, Max: tt.max})
			if got.Whole != tt.whole || got.Attr.Ino == 0 {
				t.Fatalf("Got is %+v, want whole %v", got, tt.whole)
			}
			if tt.whole {
				if string(got.Data) != strings.Repeat("data", int(got.Attr.Size/4)) || got.After.Ctime != got.Attr.Ctime {
					t.Errorf("Got is %+v", got)
				}
				must[wire.Got](c, &wire.Get{New: 7, Dir: 1, Name: tt.name, Max: tt.max}) // the handle is free
				return
			}
			must[wire.AttrAnswer](c, &wire.Lstat{Target: target(7, ""), Change: true})
		})
	}
	c := connect(t, Options{})
	c.open(1, dir)
	c.wantError("missing", c.ask(&wire.Get{New: 2, Dir: 1, Name: "missing"}), fs.ErrNotExist)
	c.wantError("missing", c.ask(&wire.Get{New: 2, Dir: 1, Name: "missing"}), fs.ErrNotExist)
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	data := strings.Repeat("0123456789abcdef", 40<<10) // 640 KiB
	f := writeFile(t, data, dir, "f")
	if err := os.Truncate(f, 1<<20); err != nil {
		t.Fatal(err)
	}
	c := connect(t, Options{})
	c.open(1, dir)
	must[wire.Got](c, &wire.Get{New: 2, Dir: 1, Name: "f"})
	for _, r := range []*wire.Read{
		{File: 2, Off: 5, N: 100},
		{File: 2, Off: 5, N: 20 << 10},
		{File: 2, Off: 0, N: 640 << 10},
		{File: 2, Off: 0, N: 0},
	} {
		if got := must[wire.Data](c, r); string(got.Data) != data[r.Off:][:r.N] || got.EOF {
			t.Errorf("%+v: %d bytes, EOF %v", r, len(got.Data), got.EOF)
		}
	}
	if got := must[wire.Data](c, &wire.Read{File: 2, Off: 1<<20 - 3, N: 10}); len(got.Data) != 3 || !got.EOF {
		t.Errorf("at the end there are %d bytes, EOF %v", len(got.Data), got.EOF)
	}

	sums := must[wire.Data](c, &wire.Sums{File: 2, Off: 0, N: 2 << 20, Block: 400 << 10})
	if len(sums.Data) != 3*32 {
		t.Fatalf("there are %d bytes of sums", len(sums.Data))
	}
	if want := sha256.Sum256([]byte(data[:400<<10])); string(sums.Data[:32]) != string(want[:]) {
		t.Errorf("the first sum is %x, want %x", sums.Data[:32], want)
	}
	if want := sha256.Sum256(make([]byte, 1<<20-800<<10)); string(sums.Data[64:]) != string(want[:]) {
		t.Errorf("the last sum is %x, want %x", sums.Data[64:], want)
	}
	key := bytes.Repeat([]byte{1}, blocksum.KeySize)
	got := must[wire.Data](c, &wire.Sums{File: 2, Off: 1, N: 2 << 20, Block: wire.MaxKeyedBlock, Key: key})
	want, err := blocksum.Of(strings.NewReader(data+string(make([]byte, 1<<20-len(data)))), 1, 2<<20, wire.MaxKeyedBlock, key, make([]byte, wire.MaxKeyedBlock), func() error { return nil })
	if err != nil || !bytes.Equal(got.Data, want) {
		t.Errorf("with a key: %d bytes of sums, which are not the %d wanted (%v)", len(got.Data), len(want), err)
	}

	r, ok := c.ask(&wire.NextData{File: 2}).(*wire.Range)
	if ok && (r.Start != 0 || r.End == 0) {
		t.Errorf("the first data are %+v", r)
	}
	if ok {
		c.wantError("beyond the end", c.ask(&wire.NextData{File: 2, Off: 1 << 20}), io.EOF)
	}
}

package fstest

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"psync/internal/vfs"
)

func filePromises() []promise {
	return []promise{
		{"ReadAt follows io.ReaderAt at the end", readAtEnd},
		{"ReadAt and WriteAt refuse a negative offset", negativeOffset},
		{"WriteAt overwrites, and leaves zeros where nothing was written", writeAnywhere},
		{"many may read and write a file at once", readWriteConcurrently},
		{"Truncate grows with zeros and shrinks", truncate},
		{"Stat and Lstat agree", statAgrees},
		{"a removed file can be read while it is open", readRemoved},
	}
}

func readAtEnd(t *testing.T, d vfs.Dir) {
	put(t, d, "f", "0123456789")
	f := open(t, d, "f")
	for _, tt := range []struct {
		size int
		off  int64
		want string
		eof  bool
	}{
		{4, 0, "0123", false},
		{4, 5, "5678", false},
		{4, 8, "89", true},
		{4, 10, "", true},
		{4, 1 << 20, "", true},
		{20, 0, "0123456789", true},
	} {
		p := make([]byte, tt.size)
		n, err := f.ReadAt(p, tt.off)
		if got := string(p[:n]); got != tt.want {
			t.Errorf("ReadAt(%d bytes, %d) read %q, want %q", tt.size, tt.off, got, tt.want)
		}
		// Readers compare with io.EOF itself, as io.ReaderAt allows them to.
		if tt.eof && err != io.EOF || !tt.eof && err != nil {
			t.Errorf("ReadAt(%d bytes, %d) has error %v, want EOF: %v", tt.size, tt.off, err, tt.eof)
		}
	}
	// At the very end, an error is the implementation's choice.
	p := make([]byte, 10)
	if n, err := f.ReadAt(p, 0); n != 10 || err != nil && err != io.EOF {
		t.Errorf("ReadAt of the whole file = %d, %v", n, err)
	}
}

func negativeOffset(t *testing.T, d vfs.Dir) {
	put(t, d, "read", "0123")
	if n, err := open(t, d, "read").ReadAt(make([]byte, 1), -1); n != 0 || err == nil || err == io.EOF {
		t.Errorf("ReadAt = %d, %v; want 0 and an error", n, err)
	}
	if n, err := create(t, d, "written").WriteAt([]byte("x"), -1); n != 0 || err == nil {
		t.Errorf("WriteAt = %d, %v; want 0 and an error", n, err)
	}
	want(t, d, "written", "")
}

func writeAnywhere(t *testing.T, d vfs.Dir) {
	f := create(t, d, "f")
	for _, w := range []struct {
		data string
		off  int64
	}{
		{"tail", 100_000},
		{"head", 0},
		{"HE", 0},
	} {
		_, err := f.WriteAt([]byte(w.data), w.off)
		must(t, err)
	}
	want(t, d, "f", "HEad"+strings.Repeat("\x00", 100_000-4)+"tail")
}

func readWriteConcurrently(t *testing.T, d vfs.Dir) {
	const workers, chunk = 16, 10_000
	block := func(i int) string { return strings.Repeat(string(rune('a'+i)), chunk) }
	var whole strings.Builder
	var wg sync.WaitGroup
	w := create(t, d, "f")
	for i := range workers {
		whole.WriteString(block(i))
		wg.Go(func() {
			if _, err := w.WriteAt([]byte(block(i)), int64(i*chunk)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	want(t, d, "f", whole.String())
	r := open(t, d, "f")
	for i := range workers {
		wg.Go(func() {
			p := make([]byte, chunk)
			if _, err := r.ReadAt(p, int64(i*chunk)); err != nil && err != io.EOF {
				t.Error(err)
			}
			if string(p) != block(i) {
				t.Errorf("block %d was not read as written", i)
			}
		})
	}
	wg.Wait()
}

func truncate(t *testing.T, d vfs.Dir) {
	f := create(t, d, "f")
	_, err := f.WriteAt([]byte("0123456789"), 0)
	must(t, err)
	must(t, f.Truncate(4))
	want(t, d, "f", "0123")
	must(t, f.Truncate(10_000))
	want(t, d, "f", "0123"+strings.Repeat("\x00", 10_000-4))
	must(t, f.Truncate(0))
	want(t, d, "f", "")
	if f.Truncate(-1) == nil {
		t.Error("a negative size is no error")
	}
}

func statAgrees(t *testing.T, d vfs.Dir) {
	w := create(t, d, "f")
	for _, data := range []string{"", "some", "some more"} {
		_, err := w.WriteAt([]byte(data), 0)
		must(t, err)
		byHandle, err := w.Stat()
		must(t, err)
		byName := lstat(t, d, "f")
		if byHandle.Size != int64(len(data)) {
			t.Errorf("size %d, want %d", byHandle.Size, len(data))
		}
		if byHandle.Size != byName.Size || byHandle.Mode != byName.Mode || byHandle.ID() != byName.ID() {
			t.Errorf("Stat tells %+v, Lstat %+v", byHandle, byName)
		}
	}
}

func readRemoved(t *testing.T, d vfs.Dir) {
	put(t, d, "f", "old")
	f := open(t, d, "f")
	must(t, d.Remove("f"))
	put(t, d, "f", "new")
	p := make([]byte, 3)
	if _, err := f.ReadAt(p, 0); err != nil && !errors.Is(err, io.EOF) || string(p) != "old" {
		t.Errorf("read %q, %v; want %q", p, err, "old")
	}
}

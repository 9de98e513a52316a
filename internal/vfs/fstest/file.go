package fstest

import (
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
		{"a removed or replaced file can be read while it is open", readRemoved},
		{"a rewritten file can be read and written anywhere, and stays the same", rewriteBoth},
	}
}

// readsAs checks what an open file holds.
func readsAs(t testing.TB, f vfs.File, data string) {
	t.Helper()
	got, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
	if err != nil || string(got) != data {
		t.Errorf("read %.100q, %v; want %.100q", got, err, data)
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
		// Readers compare with io.EOF itself, as io.ReaderAt allows them to.
		if string(p[:n]) != tt.want || tt.eof && err != io.EOF || !tt.eof && err != nil {
			t.Errorf("ReadAt(%d bytes, %d) = %q, %v; want %q, and EOF: %v", tt.size, tt.off, p[:n], err, tt.want, tt.eof)
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
	write(t, f, "tail", 100_000)
	write(t, f, "head\x00", 0)
	write(t, f, "HE", 0)
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
			if _, err := r.ReadAt(p, int64(i*chunk)); err != nil && err != io.EOF || string(p) != block(i) {
				t.Errorf("block %d was not read as written: %v", i, err)
			}
		})
	}
	wg.Wait()
}

func truncate(t *testing.T, d vfs.Dir) {
	f := create(t, d, "f")
	write(t, f, "0123456789", 0)
	for _, tt := range []struct {
		size int64
		want string
	}{{4, "0123"}, {10_000, "0123" + strings.Repeat("\x00", 10_000-4)}, {0, ""}} {
		must(t, f.Truncate(tt.size))
		want(t, d, "f", tt.want)
	}
	if f.Truncate(-1) == nil {
		t.Error("a negative size is no error")
	}
}

func readRemoved(t *testing.T, d vfs.Dir) {
	for _, name := range []string{"removed", "replaced"} {
		put(t, d, name, "old")
		put(t, d, "temp", "new")
		f := open(t, d, name)
		if name == "removed" {
			must(t, d.Remove(name))
		}
		must(t, d.Rename("temp", name))
		readsAs(t, f, "old")
		want(t, d, name, "new")
	}
}

func rewriteBoth(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanRewrite)
	put(t, d, "f", "0123456789")
	hardLink(t, d, d, "f", "g")
	f, err := d.Rewrite("f")
	lasting(t, f, err)
	write(t, f, "abc", 4)
	readsAs(t, f, "0123abc789")
	want(t, d, "g", "0123abc789")
	must(t, f.Truncate(5))
	write(t, f, "z", 7)
	readsAs(t, f, "0123a\x00\x00z")
	want(t, d, "g", "0123a\x00\x00z")
	wantLinked(t, d, "f", d, "g", 2)
}

package suite

import (
	"io"
	"strings"
	"testing"

	"psync/internal/vfs"
)

// fileRules test reading and writing files.
var fileRules = []rule{
	{name: "ReadAt follows io.ReaderAt at the end", tree: "f 644 0123456789", check: func(t *testing.T, d vfs.Dir) {
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
	}},
	{name: "ReadAt and WriteAt refuse a negative offset", tree: "read 644 0123", check: func(t *testing.T, d vfs.Dir) {
		if n, err := open(t, d, "read").ReadAt(make([]byte, 1), -1); n != 0 || err == nil || err == io.EOF {
			t.Errorf("ReadAt = %d, %v; want 0 and an error", n, err)
		}
		if n, err := create(t, d, "written").WriteAt([]byte("x"), -1); n != 0 || err == nil {
			t.Errorf("WriteAt = %d, %v; want 0 and an error", n, err)
		}
	}, want: "read 644 0123\nwritten 644\n"},
	{name: "WriteAt overwrites, and leaves zeros where nothing was written", check: func(t *testing.T, d vfs.Dir) {
		f := create(t, d, "f")
		write(t, f, "tail", 100_000)
		write(t, f, "head\x00", 0)
		write(t, f, "HE", 0)
		want(t, d, "f", "HEad"+strings.Repeat("\x00", 100_000-4)+"tail")
	}},
	{name: "many may write and read a file at once", check: func(t *testing.T, d vfs.Dir) {
		const chunk = 10_000
		block := func(i int) string { return strings.Repeat(string(rune('a'+i)), chunk) }
		w := create(t, d, "f")
		concurrently(func(i int) {
			if _, err := w.WriteAt([]byte(block(i)), int64(i*chunk)); err != nil {
				t.Error(err)
			}
		})
		r := open(t, d, "f")
		concurrently(func(i int) {
			p := make([]byte, chunk)
			if _, err := r.ReadAt(p, int64(i*chunk)); err != nil && err != io.EOF || string(p) != block(i) {
				t.Errorf("block %d was not read as written: %v", i, err)
			}
		})
		if a := lstat(t, d, "f"); a.Size != concurrency*chunk {
			t.Errorf("the file has %d bytes, want %d", a.Size, concurrency*chunk)
		}
	}},
	{name: "Truncate grows with zeros and shrinks", check: func(t *testing.T, d vfs.Dir) {
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
	}},
	{name: "a removed or replaced file can be read while it is open", check: func(t *testing.T, d vfs.Dir) {
		for _, name := range []string{"removed", "replaced"} {
			put(t, d, name, "old")
			put(t, d, "temp", "new")
			f := open(t, d, name)
			if name == "removed" {
				must(t, d.Remove(name, nil))
			}
			must(t, d.Rename("temp", nil, name, nil))
			readsAs(t, f, "old")
		}
	}, want: "removed 644 new\nreplaced 644 new\n"},
	{name: "ReadWrite opens a file for reading and writing anywhere", tree: "f 644 0123456789", check: func(t *testing.T, d vfs.Dir) {
		before := lstat(t, d, "f").ID()
		f, err := d.OpenFile("f", vfs.ReadWrite, 0)
		lasting(t, f, err)
		write(t, f, "abc", 4)
		readsAs(t, f, "0123abc789")
		must(t, f.Truncate(5))
		write(t, f, "z", 7)
		readsAs(t, f, "0123a\x00\x00z")
		if after := lstat(t, d, "f").ID(); after != before {
			t.Errorf("the file was %v and is %v", before, after)
		}
	}, want: "f 644 \"0123a\\x00\\x00z\"\n"},
	{name: "OpenCreate and ReadWrite change nothing by themselves", tree: "f 640 @2001-02-03T04:05:06Z contents", check: func(t *testing.T, d vfs.Dir) {
		for name, mode := range map[string]vfs.OpenMode{"OpenCreate": vfs.OpenCreate, "ReadWrite": vfs.ReadWrite} {
			t.Run(name, func(t *testing.T) {
				before := lstat(t, d, "f")
				f, err := d.OpenFile("f", mode, 0o600)
				skipUnsupported(t, err)
				lasting(t, f, err)
				if a, err := vfs.Stat(f); err != nil || a != before || lstat(t, d, "f") != before {
					t.Errorf("Stat = %+v, %v; want %+v", a, err, before)
				}
			})
		}
	}, want: "f 640 contents\n"},
}

// readsAs checks the contents of an open file.
func readsAs(t testing.TB, f vfs.File, data string) {
	t.Helper()
	got, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<62))
	if err != nil || string(got) != data {
		t.Errorf("read %.100q, %v; want %.100q", got, err, data)
	}
}

package retry_test

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// TestWrittenFileOfStaleDirectory replaces a file before it is closed, which the client does not notice since it has
// nothing to send to the server.
func TestWrittenFileOfStaleDirectory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "a/f 644 x\n")
		s.lazy = true
		root, _ := mount(t, s)
		a := opened(t)(root.OpenDir("a", vfs.NoFollow))
		f, err := a.OpenFile("new", vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Statx("new", vfs.StatxID); errors.Is(err, syscall.ESTALE) {
			t.Errorf("IDOf: %v", err)
		}
		must(t, s.remove("a/new"))
		s.reexport()
		if _, err := vfs.Lstat(a, "f"); err != nil { // another worker
			t.Fatal(err)
		}
		if err := f.Close(); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("closing a file that is gone: %v", err)
		}
		if _, err := a.Statx("new", vfs.StatxID); !errors.Is(err, syscall.ESTALE) {
			t.Errorf("IDOf: %v", err)
		}
		f, err = a.OpenFile("new", vfs.Create, 0o644)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Errorf("making it again: %v", err)
		}
	})
}

// TestFileThatCannotBeRecovered reads a file, and writes one, that the client has lost the right to.
func TestFileThatCannotBeRecovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 contents\n")
		d, l := mount(t, s)
		f, err := d.OpenFile("f", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := vfs.Stat(f); err != nil {
			t.Fatal(err)
		}
		w, err := d.OpenFile("new", vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		opens := s.asked["open"]
		s.from(func(op, name string) error {
			if op == "write" || op == "read" && s.asked["open"] == opens {
				return syscall.EBADF
			}
			return nil
		})
		if got, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); err != nil || string(got) != "contents" {
			t.Errorf("read %q, %v", got, err)
		}
		if _, err := w.WriteAt([]byte("x"), 0); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("writing: %v", err)
		}
		if err := w.Close(); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("closing: %v", err)
		}
		if lines := l.lines(); lines != nil {
			t.Errorf("reported %q", lines)
		}
	})
}

// TestStaleHandles re-exports the volume: what is open is reopened from the root.
func TestStaleHandles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "a/b/f 644 contents\na/b/gone 644 x\n")
		root, _ := mount(t, s)
		a := opened(t)(root.OpenDir("a", vfs.NoFollow))
		b := opened(t)(a.OpenDir("b", vfs.NoFollow))
		f, err := b.OpenFile("f", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := vfs.Stat(f); err != nil {
			t.Fatal(err)
		}
		n, err := b.Node("f")
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		s.reexport()
		if attr, err := vfs.Lstat(b, "f"); err != nil || attr.Size != 8 {
			t.Errorf("Lstat: %v", err)
		}
		s.reexport()
		if got, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); err != nil || string(got) != "contents" {
			t.Errorf("read %q, %v", got, err)
		}
		s.reexport()
		if err := vfs.Chmod(n, 0o600); err != nil {
			t.Error(err)
		}
		if err := s.remove("a/b/gone"); err != nil {
			t.Fatal(err)
		}
		s.reexport()
		if _, err := b.OpenFile("gone", vfs.ReadOnly, 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what vanished in the outage fails with %v", err)
		}
	})
}

// TestFileThatChangedInAnOutage checks that a file that changed during an outage must be read from the start.
func TestFileThatChangedInAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 contents\n")
		d, _ := mount(t, s)
		f, err := d.OpenFile("f", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var half [4]byte
		if _, err := vfs.Stat(f); err != nil {
			t.Fatal(err)
		}
		if _, err := f.ReadAt(half[:], 0); err != nil {
			t.Fatal(err)
		}
		other, err := s.Host.Open("/", vfs.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		if err := other.Remove("f", nil); err != nil {
			t.Fatal(err)
		}
		fstest.Fill(t, other, "f 644 CONTENTS\n")
		s.reexport()
		if _, err := f.ReadAt(half[:], 4); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("got %v and %q, want that the file is to be read again", err, half)
		}
	})
}

// TestWrittenFileIsGivenUp makes one call on a file fail, whose error a caller might ignore: all later ones fail, too.
func TestWrittenFileIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "")
		d, _ := mount(t, s)
		f, err := d.OpenFile("f", vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		s.from(func(op, _ string) error {
			if op == "write" {
				return syscall.EIO
			}
			return nil
		})
		var outage *vfs.OutageError
		if _, err := f.WriteAt([]byte("x"), 0); !errors.As(err, &outage) || !errors.Is(err, syscall.EIO) {
			t.Errorf("WriteAt: %v", err)
		}
		s.from(nil)
		if _, err := f.WriteAt([]byte("x"), 0); !errors.As(err, &outage) {
			t.Errorf("WriteAt: %v", err)
		}
		if err := f.Close(); !errors.As(err, &outage) {
			t.Errorf("Close: %v", err)
		}
	})
}

// TestErrorOfEveryWrittenFile makes every call on written files fail on a volume that answers: in the end the error is
// that of the file, which is not written from the start once more.
func TestErrorOfEveryWrittenFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait = 2 * time.Second
		s := newServer(t, "")
		d, _ := mountFor(t, s, wait)
		s.from(func(op, _ string) error {
			if op == "setxattr" {
				return syscall.EIO
			}
			return nil
		})
		start := time.Now()
		again := 0
		for range 1000 {
			f, err := d.OpenFile("f", vfs.Create, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			if err := vfs.SetXattr(f, "user.a", nil); !errors.Is(err, syscall.EIO) {
				t.Fatalf("got %v", err)
			} else if errors.As(err, new(*vfs.OutageError)) {
				again++
			}
			_ = f.Close()
			if err := d.Remove("f", nil); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(start); waited < wait || waited > 2*wait || again == 0 || again > 100 {
			t.Errorf("waited for %v, and for %d files the error was one of an outage", waited, again)
		}
	})
}

func TestErrorAtCloseIsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "")
		d, _ := mount(t, s)
		f, err := d.OpenFile("f", vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		s.from(func(op, _ string) error {
			if op == "fclose" {
				return syscall.EIO
			}
			return nil
		})
		if err := f.Close(); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("Close: %v", err)
		}
	})
}

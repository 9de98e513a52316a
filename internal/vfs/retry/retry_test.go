package retry_test

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

func TestDir(t *testing.T) {
	fstest.TestDir(t, func(t testing.TB) vfs.Dir {
		d, _ := mount(t, newServer(t, ""))
		return d
	})
}

// TestOneProbe makes many workers wait for an outage: only one of them probes, and one event reports the beginning of
// the outage and one its end.
func TestOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\n")
		d, l := mount(t, s)
		const away = 30 * time.Second
		s.from(down(away, syscall.EIO))
		start := time.Now()
		var workers sync.WaitGroup
		for range 50 {
			workers.Go(func() {
				if _, err := d.Lstat("f"); err != nil {
					t.Error(err)
				}
			})
		}
		workers.Wait()
		if waited := time.Since(start); waited < away || waited > away+2*5*time.Second {
			t.Errorf("waited for %v", waited)
		}
		if n := s.asked["root"]; n > 20 {
			t.Errorf("the root was opened %d times", n)
		}
		if lines := l.lines(); len(lines) != 2 ||
			lines[0] != "/: input/output error; waiting up to 1m0s for the volume to answer" ||
			!strings.HasPrefix(lines[1], "/: answers again after 3") {
			t.Errorf("reported %q", lines)
		}
		if vs := l.volumes; vs.Outages() != 1 || vs.Unreachable() != 0 || vs.Repeated() != 50 {
			t.Errorf("counted %d outages, %d volumes that do not answer, and %d calls that were made again", vs.Outages(), vs.Unreachable(), vs.Repeated())
		}
	})
}

// TestErrorsOfConnections checks that each error that a client returns for a broken connection counts as an outage.
func TestErrorsOfConnections(t *testing.T) {
	for _, errno := range []syscall.Errno{
		syscall.EIO, syscall.ETIMEDOUT, syscall.EHOSTDOWN, syscall.EAGAIN, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE,
	} {
		t.Run(errno.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, "f 644 x\n")
				d, _ := mount(t, s)
				s.from(down(20*time.Second, errno))
				if _, err := d.Lstat("f"); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestVolumeThatStaysAwayIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\n")
		d, _ := mount(t, s)
		s.from(down(time.Hour, syscall.ETIMEDOUT))
		start := time.Now()
		var lost *vfs.LostError
		if _, err := d.Lstat("f"); !errors.As(err, &lost) || !errors.Is(err, syscall.ETIMEDOUT) {
			t.Errorf("got %v, want that the volume is lost", err)
		}
		if waited := time.Since(start); waited != time.Minute {
			t.Errorf("waited for %v", waited)
		}
		asked := s.asked["lstat"]
		if err := d.Remove("f", nil); !errors.As(err, &lost) || s.asked["lstat"] != asked || s.asked["remove"] > 0 {
			t.Errorf("got %v, and the volume was asked", err)
		}
	})
}

// TestErrorOfOneEntry has one file on a bad sector: reading it is tried several times, and no outage is reported.
func TestErrorOfOneEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "bad 644 x\ngood 644 x\n")
		d, l := mount(t, s)
		s.from(func(op, name string) error {
			if name == "bad" {
				return syscall.EIO
			}
			return nil
		})
		start := time.Now()
		if _, err := d.Lstat("bad"); !errors.Is(err, syscall.EIO) {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(start); waited > 10*time.Second {
			t.Errorf("waited for %v", waited)
		}
		if _, err := d.Lstat("good"); err != nil {
			t.Error(err)
		}
		if lines := l.lines(); lines != nil {
			t.Errorf("reported %q", lines)
		}
	})
}

// TestErrorOfEveryEntry makes every call for an attribute fail on a volume that answers. The errors are those of the
// entries: all calls together are repeated for no longer than a volume is waited for, and ENOENT is trusted. After an
// outage there is as much time again.
func TestErrorOfEveryEntry(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ETIMEDOUT} {
		t.Run(errno.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const wait = 2 * time.Second
				s := newServer(t, "f 644 x\n")
				d, l := mountFor(t, s, wait)
				n, err := d.Node("f")
				if err != nil {
					t.Fatal(err)
				}
				defer n.Close()
				fails := func(op, _ string) error {
					if op == "xattrs" {
						return errno
					}
					return nil
				}
				s.from(fails)
				start := time.Now()
				for range 1000 {
					if _, err := n.Xattrs(true); !errors.Is(err, errno) {
						t.Fatalf("got %v", err)
					}
					if _, err := d.Lstat("none"); !errors.Is(err, fs.ErrNotExist) {
						t.Fatalf("got %v", err)
					}
				}
				if waited := time.Since(start); waited < wait || waited > 2*wait+time.Minute {
					t.Errorf("waited for %v", waited)
				}
				asked := s.asked["xattrs"]
				if _, err := n.Xattrs(true); !errors.Is(err, errno) || s.asked["xattrs"] != asked+2 {
					t.Errorf("got %v after %d calls, want two", err, s.asked["xattrs"]-asked)
				}
				if lines := l.lines(); lines != nil {
					t.Errorf("reported %q", lines)
				}

				s.from(down(time.Second, errno))
				if _, err := n.Xattrs(true); err != nil {
					t.Errorf("after an outage: %v", err)
				}
				s.from(fails)
				asked = s.asked["xattrs"]
				if _, err := n.Xattrs(true); !errors.Is(err, errno) || s.asked["xattrs"] <= asked+2 {
					t.Errorf("got %v after %d calls, want more than two", err, s.asked["xattrs"]-asked)
				}
			})
		})
	}
}

func TestWithoutTimeNothingIsRepeated(t *testing.T) {
	s := newServer(t, "f 644 x\n")
	d, _ := mountFor(t, s, 0)
	s.from(down(time.Hour, syscall.EIO))
	if _, err := d.Lstat("f"); !errors.Is(err, syscall.EIO) || s.asked["lstat"] != 2 { // once for the root
		t.Errorf("got %v after %d calls", err, s.asked["lstat"])
	}
}

func TestOtherErrorsAreFinal(t *testing.T) {
	s := newServer(t, "")
	d, _ := mount(t, s)
	for _, err := range []syscall.Errno{syscall.ENOSPC, syscall.EROFS, syscall.EACCES, syscall.ENOENT} {
		s.from(func(op, _ string) error {
			if op == "mkdir" {
				return err
			}
			return nil
		})
		if got := d.Mkdir("d", 0o755); !errors.Is(got, err) || s.asked["mkdir"] != 1 {
			t.Errorf("got %v after %d calls, want %v after one", got, s.asked["mkdir"], err)
		}
		s.asked["mkdir"] = 0
	}
}

// TestNothingIsExported makes the server refuse everything, as a server does before its exports are set up.
func TestNothingIsExported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\nsecret 600 x\n")
		d, l := mount(t, s)
		f, err := d.OpenFile("new", vfs.Create, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		away := down(20*time.Second, syscall.EACCES)
		s.from(func(op, name string) error {
			if name == "secret" {
				return syscall.EACCES
			}
			return away(op, name)
		})
		if _, err := f.WriteAt([]byte("x"), 0); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("writing: %v", err)
		}
		if err := f.Close(); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("closing: %v", err)
		}
		if err := d.Mkdir("d", 0o755); err != nil {
			t.Error(err)
		}
		start := time.Now()
		if _, err := d.Lstat("secret"); !errors.Is(err, syscall.EACCES) || time.Since(start) > 5*time.Second {
			t.Errorf("an entry that is denied: %v after %v", err, time.Since(start))
		}
		if lines := l.lines(); len(lines) != 2 || lines[0] != "/: permission denied; waiting up to 1m0s for the volume to answer" {
			t.Errorf("reported %q", lines)
		}

		s.from(down(time.Hour, syscall.EACCES))
		start = time.Now()
		if _, err := d.Lstat("f"); !errors.As(err, new(*vfs.LostError)) || time.Since(start) != time.Minute {
			t.Errorf("a volume that stays so: %v after %v", err, time.Since(start))
		}
	})
}

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
		if _, err := a.IDOf("new"); errors.Is(err, syscall.ESTALE) {
			t.Errorf("IDOf: %v", err)
		}
		must(t, s.remove("a/new"))
		s.reexport()
		if _, err := a.Lstat("f"); err != nil { // another worker
			t.Fatal(err)
		}
		if err := f.Close(); !errors.As(err, new(*vfs.OutageError)) {
			t.Errorf("closing a file that is gone: %v", err)
		}
		if _, err := a.IDOf("new"); !errors.Is(err, syscall.ESTALE) {
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
		if _, err := f.Stat(); err != nil {
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
		if _, err := f.Stat(); err != nil {
			t.Fatal(err)
		}
		n, err := b.Node("f")
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		s.reexport()
		if attr, err := b.Lstat("f"); err != nil || attr.Size != 8 {
			t.Errorf("Lstat: %v", err)
		}
		s.reexport()
		if got, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); err != nil || string(got) != "contents" {
			t.Errorf("read %q, %v", got, err)
		}
		s.reexport()
		if err := n.Chmod(0o600); err != nil {
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
		if _, err := f.Stat(); err != nil {
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
			if err := f.SetXattr("user.a", nil); !errors.Is(err, syscall.EIO) {
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

// TestLostAnswers makes calls that succeed although they return errors.
func TestLostAnswers(t *testing.T) {
	tests := []struct {
		name string
		call func(d vfs.Dir) error
		want string
	}{
		{"create", func(d vfs.Dir) error {
			f, err := d.OpenFile("new", vfs.Create, 0o644)
			if err != nil {
				return err
			}
			return f.Close()
		}, "empty/ f new"},
		{"mkdir", func(d vfs.Dir) error { return d.Mkdir("new", 0o755) }, "empty/ f new/"},
		{"symlink", func(d vfs.Dir) error { return d.Symlink("target", "new") }, "empty/ f new"},
		{"mknod", func(d vfs.Dir) error { return d.Mknod("new", fs.ModeNamedPipe|0o644, 0) }, "empty/ f new"},
		{"link", func(d vfs.Dir) error { return d.Link(d, "f", "new") }, "empty/ f new"},
		{"rename", func(d vfs.Dir) error { return d.Rename("f", nil, "new", nil) }, "empty/ new"},
		{"move", func(d vfs.Dir) error { return d.Rename("f", d, "new", nil) }, "empty/ new"},
		{"remove", func(d vfs.Dir) error { return d.Remove("f", nil) }, "empty/"},
		{"rmdir", func(d vfs.Dir) error { return d.Rmdir("empty") }, "f"},
		{"remove unchanged", func(d vfs.Dir) error {
			a, err := d.Lstat("f")
			return errors.Join(err, d.Remove("f", new(vfs.PremiseOf(a))))
		}, "empty/"},
		{"replace", func(d vfs.Dir) error {
			a, err := d.Lstat("f")
			return errors.Join(err, d.Symlink("target", "new"), d.Rename("new", nil, "f", new(vfs.PremiseOf(a))))
		}, "empty/ f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, "f 644 x\nempty/ 755\n")
				d, _ := mount(t, s)
				var lost atomic.Bool
				s.silent = func(op, _ string) error {
					if op == tt.name && !lost.Swap(true) {
						return syscall.EIO
					}
					return nil
				}
				if err := tt.call(d); err != nil {
					t.Error(err)
				}
				if !lost.Load() {
					t.Error("no answer was lost")
				}
				var names []string
				for line := range strings.Lines(fstest.Tree(t, d)) {
					names = append(names, strings.Fields(line)[0])
				}
				if got := strings.Join(names, " "); got != tt.want {
					t.Errorf("there is %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestEntryOfSomebodyElse has another process make the entry while the volume is away.
func TestEntryOfSomebodyElse(t *testing.T) {
	tests := []struct {
		name, there string
		call        func(d vfs.Dir) error
	}{
		{"create", "new 644 x\n", func(d vfs.Dir) error { _, err := d.OpenFile("new", vfs.Create, 0o644); return err }},
		{"mkdir", "new/f 644 x\n", func(d vfs.Dir) error { return d.Mkdir("new", 0o755) }},
		{"symlink", "new -> elsewhere\n", func(d vfs.Dir) error { return d.Symlink("target", "new") }},
		{"mknod", "new 644 x\n", func(d vfs.Dir) error { return d.Mknod("new", fs.ModeNamedPipe|0o644, 0) }},
		{"link", "new 644 x\n", func(d vfs.Dir) error { return d.Link(d, "f", "new") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, "f 644 x\n")
				d, _ := mount(t, s)
				other, err := s.Host.Open("/", vfs.OpenOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer other.Close()
				var failed atomic.Bool
				s.from(func(op, _ string) error {
					if op == tt.name && !failed.Swap(true) {
						fstest.Fill(t, other, tt.there)
						return syscall.EIO
					}
					return nil
				})
				if err := tt.call(d); !errors.Is(err, fs.ErrExist) {
					t.Errorf("got %v, want that it exists", err)
				}
			})
		})
	}
}

// TestReplacedBySomebodyElse has another process edit a file while the volume is away: it is not replaced.
func TestReplacedBySomebodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\nnew 644 y\n")
		d, _ := mount(t, s)
		other, err := s.Host.Open("/", vfs.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		a, err := d.Lstat("f")
		if err != nil {
			t.Fatal(err)
		}
		var failed atomic.Bool
		s.from(func(op, _ string) error {
			if op == "rename" && !failed.Swap(true) {
				fstest.Fill(t, other, "f 644 edited\n")
				return syscall.EIO
			}
			return nil
		})
		if err := d.Rename("new", nil, "f", new(vfs.PremiseOf(a))); !errors.Is(err, vfs.ErrChanged) {
			t.Errorf("got %v, want that it has changed", err)
		}
		if got, want := fstest.Tree(t, other), "f 644 edited\nnew 644 y\n"; got != want {
			t.Errorf("there is\n%swant\n%s", got, want)
		}
	})
}

// TestListingGoesOn makes a listing fail in the middle: no name is missing, and none comes twice.
func TestListingGoesOn(t *testing.T) {
	for _, err := range []syscall.Errno{syscall.EIO, syscall.ESTALE} {
		t.Run(err.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, "a 644 x\nb 644 x\nc 644 x\nd 644 x\n")
				d, _ := mount(t, s)
				var listed atomic.Int32
				s.from(func(op, _ string) error {
					if op == "readdir" && listed.Add(1) < 3 {
						return err
					}
					return nil
				})
				var names []string
				failed := d.ReadDir(func(entries []vfs.Entry) error {
					for _, e := range entries {
						names = append(names, e.Name)
					}
					return nil
				})
				slices.Sort(names)
				if got := strings.Join(names, ""); failed != nil || got != "abcd" {
					t.Errorf("listed %q, %v", got, failed)
				}
			})
		})
	}
}

// TestEntriesAreMissedAfterAnOutage has a server that just started report that nothing exists. Later that is trusted.
func TestEntriesAreMissedAfterAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "a/b/f 644 x\n")
		d, _ := mount(t, s)
		a := opened(t)(d.OpenDir("a", vfs.NoFollow))
		start := time.Now()
		s.from(func(op, _ string) error {
			switch since := time.Since(start); {
			case since < 20*time.Second:
				return syscall.EHOSTDOWN
			case op != "root" && op != "stat" && since < 27*time.Second:
				return syscall.ENOENT
			}
			return nil
		})
		opened(t)(a.OpenDir("b", vfs.NoFollow))
		time.Sleep(10 * time.Second)
		asked := s.asked["opendir"]
		if _, err := a.OpenDir("none", vfs.NoFollow); !errors.Is(err, fs.ErrNotExist) || s.asked["opendir"] != asked+1 {
			t.Errorf("got %v after %d calls", err, s.asked["opendir"]-asked)
		}
	})
}

// TestErrorOfYieldEndsAListing returns an error from yield that looks like one of the volume.
func TestErrorOfYieldEndsAListing(t *testing.T) {
	s := newServer(t, "a 644 x\n")
	d, _ := mount(t, s)
	calls := 0
	err := d.ReadDir(func([]vfs.Entry) error {
		calls++
		return syscall.EIO
	})
	if err != syscall.EIO || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}

// TestHangingCalls checks that the oldest of the calls that hang is reported after ten seconds, and then each minute.
func TestHangingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "a/f 644 x\n")
		d, l := mount(t, s)
		a := opened(t)(d.OpenDir("a", vfs.NoFollow))
		hangs := make(chan struct{})
		s.hang("f", hangs)
		var worker sync.WaitGroup
		worker.Go(func() { _, _ = a.Lstat("f") })
		time.Sleep(30 * time.Second)
		for range 2 {
			worker.Go(func() { _ = a.Chmod("f", 0o600) })
		}
		time.Sleep(105 * time.Second)
		if longest := l.volumes.LongestCall(); longest != 135*time.Second {
			t.Errorf("the longest call takes %v so far", longest)
		}
		close(hangs)
		worker.Wait()
		counts, sum := l.volumes.DestCalls.Counts()
		if slow := counts[len(counts)-1]; slow != 3 || sum != (135+2*105)*time.Second || l.volumes.LongestCall() != 0 {
			t.Errorf("counted %d calls of more than 10 s, and %v in all", slow, sum)
		}
		want := []string{
			"/a/f: a call of the system has not returned for 10s",
			"/a/f: a call of the system has not returned for 1m10s, nor have 2 others",
			"/a/f: a call of the system has not returned for 2m10s, nor have 2 others",
		}
		if got := l.lines(); !slices.Equal(got, want) {
			t.Errorf("reported %q, want %q", got, want)
		}
	})
}

// opened returns a function that fails the test after an error, and closes the directory at its end.
func opened(t *testing.T) func(vfs.Dir, error) vfs.Dir {
	return func(d vfs.Dir, err error) vfs.Dir {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		return d
	}
}

package retry_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/suite"
)

func TestDir(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir {
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
				if _, err := vfs.Lstat(d, "f"); err != nil {
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
				if _, err := vfs.Lstat(d, "f"); err != nil {
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
		if _, err := vfs.Lstat(d, "f"); !errors.As(err, &lost) || !errors.Is(err, syscall.ETIMEDOUT) {
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
		if _, err := vfs.Lstat(d, "bad"); !errors.Is(err, syscall.EIO) {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(start); waited > 10*time.Second {
			t.Errorf("waited for %v", waited)
		}
		if _, err := vfs.Lstat(d, "good"); err != nil {
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
					if _, err := vfs.Lstat(d, "none"); !errors.Is(err, fs.ErrNotExist) {
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
	if _, err := vfs.Lstat(d, "f"); !errors.Is(err, syscall.EIO) || s.asked["lstat"] != 2 { // once for the root
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
		if got := vfs.Mkdir(d, "d", 0o755); !errors.Is(got, err) || s.asked["mkdir"] != 1 {
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
		if err := vfs.Mkdir(d, "d", 0o755); err != nil {
			t.Error(err)
		}
		start := time.Now()
		if _, err := vfs.Lstat(d, "secret"); !errors.Is(err, syscall.EACCES) || time.Since(start) > 5*time.Second {
			t.Errorf("an entry that is denied: %v after %v", err, time.Since(start))
		}
		if lines := l.lines(); len(lines) != 2 || lines[0] != "/: permission denied; waiting up to 1m0s for the volume to answer" {
			t.Errorf("reported %q", lines)
		}

		s.from(down(time.Hour, syscall.EACCES))
		start = time.Now()
		if _, err := vfs.Lstat(d, "f"); !errors.As(err, new(*vfs.LostError)) || time.Since(start) != time.Minute {
			t.Errorf("a volume that stays so: %v after %v", err, time.Since(start))
		}
	})
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
		worker.Go(func() { _, _ = vfs.Lstat(a, "f") })
		time.Sleep(30 * time.Second)
		for range 2 {
			worker.Go(func() { _ = vfs.Chmod(vfs.In(a, "f"), 0o600) })
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

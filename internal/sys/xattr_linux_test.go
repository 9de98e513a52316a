package sys

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A way is one of those to the attributes of an entry by its name.
type way struct {
	list   func(dirfd int, name string, buf []byte) (int, error)
	get    func(dirfd int, name, attr string, buf []byte) (int, error)
	set    func(dirfd int, name, attr string, value []byte) error
	remove func(dirfd int, name, attr string) error
}

func ways() map[string]way {
	all := map[string]way{
		"any":  {Listxattr, Getxattr, Setxattr, Removexattr},
		"proc": {procListxattr, procGetxattr, procSetxattr, procRemovexattr},
	}
	if hasXattrat() {
		all["at"] = way{listxattrat, getxattrat, setxattrat, removexattrat}
	}
	return all
}

// openTemp opens a directory with a file called name in it.
func openTemp(t testing.TB, name string) (dirfd int) {
	t.Helper()
	dirfd, err := Openat(unix.AT_FDCWD, t.TempDir(), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(dirfd) })
	fd, err := Openat(dirfd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(fd)
	return dirfd
}

func TestXattrsByEveryWay(t *testing.T) {
	for wayName, w := range ways() {
		for _, name := range []string{"f", strings.Repeat("n", 255)} {
			t.Run(wayName+"/"+name[:1], func(t *testing.T) { testXattrs(t, w, openTemp(t, name), name) })
		}
	}
}

func testXattrs(t *testing.T, w way, dirfd int, name string) {
	const attr, value = "user.a\xff", "some\x00value"
	if err := w.set(dirfd, name, attr, []byte(value)); err == unix.EOPNOTSUPP {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	var buf [100]byte
	if n, err := w.get(dirfd, name, attr, buf[:]); err != nil || string(buf[:n]) != value {
		t.Errorf("get = %q, %v; want %q", buf[:n], err, value)
	}
	if n, err := w.list(dirfd, name, buf[:]); err != nil || !strings.Contains(string(buf[:n]), attr+"\x00") {
		t.Errorf("list = %q, %v; want %q", buf[:n], err, attr)
	}
	if _, err := w.get(dirfd, name, attr, buf[:3]); err != unix.ERANGE {
		t.Errorf("get into a short buffer: %v", err)
	}
	if _, err := w.list(dirfd, name, buf[:3]); err != unix.ERANGE {
		t.Errorf("list into a short buffer: %v", err)
	}
	if n, err := w.get(dirfd, name, attr, nil); n != len(value) || err != nil {
		t.Errorf("get of the length = %d, %v", n, err)
	}
	if err := w.set(dirfd, name, attr, nil); err != nil {
		t.Error(err)
	}
	if n, err := w.get(dirfd, name, attr, buf[:]); n != 0 || err != nil {
		t.Errorf("get of an empty value = %d, %v", n, err)
	}
	if err := w.remove(dirfd, name, attr); err != nil {
		t.Error(err)
	}
	if err := w.remove(dirfd, name, attr); err != unix.ENODATA {
		t.Errorf("remove of nothing: %v", err)
	}
	if _, err := w.get(dirfd, name, attr, buf[:]); err != unix.ENODATA {
		t.Errorf("get of nothing: %v", err)
	}
}

func TestXattrErrorsByEveryWay(t *testing.T) {
	for wayName, w := range ways() {
		dirfd := openTemp(t, "f")
		for _, tt := range []struct {
			name, attr string
			want       error
		}{
			{"missing", "user.a", unix.ENOENT},
			{"f/", "user.a", unix.ENOTDIR},
			{strings.Repeat("n", 256), "user.a", unix.ENAMETOOLONG},
			{"a\x00b", "user.a", unix.EINVAL},
			{"f", "user.a\x00b", unix.EINVAL},
			{"f", "user." + strings.Repeat("a", 300), unix.ERANGE},
			{"f", "", unix.ERANGE},
			{"f", "nonsense", unix.EOPNOTSUPP},
		} {
			if _, err := w.get(dirfd, tt.name, tt.attr, nil); err != tt.want {
				t.Errorf("%s: get %.10q of %.10q: %v, want %v", wayName, tt.attr, tt.name, err, tt.want)
			}
			if err := w.set(dirfd, tt.name, tt.attr, nil); err != tt.want {
				t.Errorf("%s: set %.10q of %.10q: %v, want %v", wayName, tt.attr, tt.name, err, tt.want)
			}
			if err := w.remove(dirfd, tt.name, tt.attr); err != tt.want {
				t.Errorf("%s: remove %.10q of %.10q: %v, want %v", wayName, tt.attr, tt.name, err, tt.want)
			}
			if tt.name == "f" {
				continue
			}
			if _, err := w.list(dirfd, tt.name, nil); err != tt.want {
				t.Errorf("%s: list of %.10q: %v, want %v", wayName, tt.name, err, tt.want)
			}
		}
		if err := w.set(dirfd, "f", "user.a", make([]byte, 64<<10+1)); err != unix.E2BIG {
			t.Errorf("%s: set too much: %v", wayName, err)
		}
	}
}

// TestXattrsWithoutProc hides /proc from one thread.
func TestXattrsWithoutProc(t *testing.T) {
	dirfd := openTemp(t, "f")
	errs := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := unix.Unshare(unix.CLONE_NEWNS)
		if err == nil {
			err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
		}
		if err == nil {
			err = unix.Mount("none", "/proc", "tmpfs", 0, "")
		}
		if err != nil {
			errs <- err
			close(errs)
			return
		}
		_, err = procListxattr(dirfd, "f", nil)
		errs <- err
		_, err = procListxattr(dirfd, "missing", nil)
		errs <- err
		_, err = procGetxattr(dirfd, "f", "user.a", nil)
		errs <- err
		errs <- procSetxattr(dirfd, "f", "user.a", nil)
		errs <- procRemovexattr(dirfd, "f", "user.a")
		close(errs)
	}()
	var got []error
	for err := range errs {
		got = append(got, err)
	}
	if len(got) == 1 {
		t.Skipf("hide /proc: %v", got[0])
	}
	for i, want := range []error{noProcError{}, unix.ENOENT, noProcError{}, noProcError{}, noProcError{}} {
		if got[i] != want {
			t.Errorf("call %d: %v, want %v", i, got[i], want)
		}
	}
	if !errors.Is(noProcError{}, errors.ErrUnsupported) {
		t.Error("a missing /proc does not count as unsupported")
	}
}

func TestListingXattrsCostsNoMemory(t *testing.T) {
	dirfd := openTemp(t, "f")
	for name, w := range ways() {
		if n := testing.AllocsPerRun(100, func() {
			var buf [512]byte
			_, _ = w.list(dirfd, "f", buf[:])
		}); n > 1 { // buf, which a call through a variable moves to the heap
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		var buf [512]byte
		_, _ = Listxattr(dirfd, "f", buf[:])
		_, _ = Listxattr(dirfd, "", buf[:])
		_, _ = procListxattr(dirfd, "f", buf[:])
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// BenchmarkListxattr lists the attributes of an entry that has none.
func BenchmarkListxattr(b *testing.B) {
	dirfd := openTemp(b, "file")
	var buf [512]byte
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			_, _ = listxattrat(dirfd, "file", buf[:])
		}
	})
	b.Run("proc", func(b *testing.B) {
		for b.Loop() {
			_, _ = procListxattr(dirfd, "file", buf[:])
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			fd, err := Openat(dirfd, "file", unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
			if err == nil {
				_, _ = Listxattr(fd, "", buf[:])
				unix.Close(fd)
			}
		}
	})
	b.Run("fd", func(b *testing.B) {
		for b.Loop() {
			_, _ = Listxattr(dirfd, "", buf[:])
		}
	})
}

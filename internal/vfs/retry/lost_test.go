package retry_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

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
		{"mkdir", func(d vfs.Dir) error { return vfs.Mkdir(d, "new", 0o755) }, "empty/ f new/"},
		{"symlink", func(d vfs.Dir) error { return vfs.Symlink(d, "target", "new") }, "empty/ f new"},
		{"mknod", func(d vfs.Dir) error { return vfs.Mknod(d, "new", fs.ModeNamedPipe|0o644, 0) }, "empty/ f new"},
		{"link", func(d vfs.Dir) error { return d.Link(d, "f", "new") }, "empty/ f new"},
		{"rename", func(d vfs.Dir) error { return d.Rename("f", nil, "new", nil) }, "empty/ new"},
		{"move", func(d vfs.Dir) error { return d.Rename("f", d, "new", nil) }, "empty/ new"},
		{"remove", func(d vfs.Dir) error { return d.Remove("f", nil) }, "empty/"},
		{"rmdir", func(d vfs.Dir) error { return d.Rmdir("empty") }, "f"},
		{"remove unchanged", func(d vfs.Dir) error {
			a, err := vfs.Lstat(d, "f")
			return errors.Join(err, d.Remove("f", new(vfs.PremiseOf(a))))
		}, "empty/"},
		{"replace", func(d vfs.Dir) error {
			a, err := vfs.Lstat(d, "f")
			return errors.Join(err, vfs.Symlink(d, "target", "new"), d.Rename("new", nil, "f", new(vfs.PremiseOf(a))))
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

// TestEntryOfAnotherProcess has another process make the entry while the volume is away.
func TestEntryOfAnotherProcess(t *testing.T) {
	tests := []struct {
		name, there string
		call        func(d vfs.Dir) error
	}{
		{"create", "new 644 x\n", func(d vfs.Dir) error { _, err := d.OpenFile("new", vfs.Create, 0o644); return err }},
		{"mkdir", "new/f 644 x\n", func(d vfs.Dir) error { return vfs.Mkdir(d, "new", 0o755) }},
		{"symlink", "new -> elsewhere\n", func(d vfs.Dir) error { return vfs.Symlink(d, "target", "new") }},
		{"mknod", "new 644 x\n", func(d vfs.Dir) error { return vfs.Mknod(d, "new", fs.ModeNamedPipe|0o644, 0) }},
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

// TestReplacedByAnotherProcess has another process edit a file while the volume is away: it is not replaced.
func TestReplacedByAnotherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, "f 644 x\nnew 644 y\n")
		d, _ := mount(t, s)
		other, err := s.Host.Open("/", vfs.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		a, err := vfs.Lstat(d, "f")
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

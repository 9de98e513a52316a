package sftpfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"psync/internal/engine"
	"psync/internal/engine/enginetest"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// TestTimesAreSeconds tests the promises about times that SFTP can keep.
func TestTimesAreSeconds(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			d := open(t, newHost(t, s, Options{}), s.tempDir(t))
			fstest.Fill(t, d, "f 644\ndir/\nlink -> f")
			one, two, late := time.Unix(1e9, 999_999_999), time.Unix(2e9, 0), time.Unix(1<<32-1, 0)
			for _, name := range []string{"f", "dir", "."} {
				for _, tt := range []struct{ atime, mtime, wantMtime time.Time }{
					{one, one, time.Unix(1e9, 0)},
					{two, time.Time{}, time.Unix(1e9, 0)},
					{time.Time{}, two, two},
					{time.Time{}, time.Time{}, two},
					{one, late, late},
				} {
					must(t, vfs.Chtimes(vfs.In(d, name), tt.atime, tt.mtime))
					if a, err := vfs.Lstat(d, name); err != nil || !a.Mtime.Equal(tt.wantMtime) {
						t.Errorf("%s has the time %v, %v; want %v", name, a.Mtime, err, tt.wantMtime)
					}
				}
			}
			if err := vfs.Chtimes(vfs.In(d, "link"), one, one); !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("the time of a link: %v", err)
			}
			if v, err := d.Statfs(); err != nil || v.Granularity != time.Second || !v.Network {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

// TestHardLinks tests the promises about hard links that SFTP can keep.
func TestHardLinks(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			path := s.tempDir(t)
			d := open(t, newHost(t, s, Options{}), path)
			fstest.Fill(t, d, "f 644 text\nsub/")
			sub, err := d.OpenDir("sub", vfs.NoFollow)
			must(t, err)
			must(t, sub.Link(d, "f", "g"))
			a, err := os.Stat(filepath.Join(path, "f"))
			must(t, err)
			b, err := os.Stat(filepath.Join(path, "sub/g"))
			must(t, err)
			if !os.SameFile(a, b) {
				t.Error("two files")
			}
			must(t, sub.Close())
		})
	}
}

// TestListingsAnswer counts the requests for a listing, and for what it says of its entries.
func TestListingsAnswer(t *testing.T) {
	var counted *requestCounter
	s := server{"", func(t testing.TB) io.ReadWriteCloser { counted = newRequestCounter(inProcess(t)); return counted }, 0}
	h := newHost(t, s, Options{})
	path := t.TempDir()
	for i := range 1000 {
		must(t, os.WriteFile(filepath.Join(path, fmt.Sprint(i)), nil, 0o644))
	}
	must(t, os.Mkdir(filepath.Join(path, "dir"), 0o755))
	d := open(t, h, path)
	counted.take()
	must(t, d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if want, err := os.Lstat(filepath.Join(path, e.Name)); err != nil || e.Facts == nil || e.Facts.Mode != want.Mode() {
				t.Errorf("%s: listed as %+v, is %v", e.Name, e.Facts, want)
			}
		}
		return nil
	}))
	sub, err := d.OpenDir("dir", vfs.NoFollow)
	must(t, err)
	_, err = vfs.Lstat(sub, ".")
	must(t, err)
	must(t, sub.Close())
	if requests, _ := counted.take(); requests["lstat"] > 0 || requests["opendir"] != 1 {
		t.Errorf("the requests %v", requests)
	}
	must(t, os.Chmod(filepath.Join(path, "7"), 0o600))
	if a, err := vfs.Lstat(d, "7"); err != nil || a.Mode != 0o600 {
		t.Errorf("a file that was changed since: %v, %v", a.Mode, err)
	}
}

// TestPathsAreWalkedOnce asks for what lies below a directory.
func TestPathsAreWalkedOnce(t *testing.T) {
	var counted *requestCounter
	s := server{"", func(t testing.TB) io.ReadWriteCloser { counted = newRequestCounter(inProcess(t)); return counted }, 0}
	h := newHost(t, s, Options{})
	path := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(path, "a/b"), 0o755))
	must(t, os.Symlink("a", filepath.Join(path, "link")))
	for _, want := range []int{1000, 1, 1} {
		counted.take()
		_, err := h.Stat(filepath.Join(path, "link/b"), vfs.Follow)
		must(t, err)
		if requests, n := counted.take(); n > want {
			t.Errorf("%d requests, want %d: %v", n, want, requests)
		}
	}
	d := open(t, h, path)
	must(t, d.Rename("a", nil, "c", nil))
	if _, err := h.Stat(filepath.Join(path, "link/b"), vfs.Follow); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after a rename: %v", err)
	}
	must(t, d.Remove("link", nil))
	must(t, vfs.Symlink(d, "c", "link"))
	if _, err := h.Stat(filepath.Join(path, "link/b"), vfs.Follow); err != nil {
		t.Errorf("with another link: %v", err)
	}
}

// TestFullDestinationEndsTheRun copies to a file system that is full, and then read-only.
func TestFullDestinationEndsTheRun(t *testing.T) {
	servers := servers(t)
	s := servers[len(servers)-1]
	path, from := s.tempDir(t), t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "none", path).CombinedOutput(); err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	defer func() { must(t, exec.Command("umount", path).Run()) }()
	must(t, os.WriteFile(filepath.Join(from, "f"), make([]byte, 4<<20), 0o644))
	h := newHost(t, s, Options{})
	must(t, os.Chmod(path, 0o777))
	for _, want := range []error{syscall.ENOSPC, syscall.EROFS} {
		job := newJob(open(t, localfs.Host{}, from), open(t, h, path), h.Info().User, new(enginetest.Events), 4)
		err := engine.Run(t.Context(), job)
		if _, ok := errors.AsType[*engine.FatalError](err); !ok || !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
		if left, err := os.ReadDir(path); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
		must(t, exec.Command("mount", "-o", "remount,ro", path).Run())
	}
}

// TestChangesDuringAListing makes an entry while the directory is being listed.
func TestChangesDuringAListing(t *testing.T) {
	s := newHostile(entry("f", 0o100644, 1))
	h := newHostileHost(t, s)
	d := open(t, h, "/home")
	list := s.answers[12]
	s.answers[12] = func(id uint32, body []byte) []byte {
		h.cache.made("/home/f", ofType(0o120000))
		return list(id, body)
	}
	must(t, d.ReadDir(func([]vfs.Entry) error { return nil }))
	if k, ok := h.cache.get("/home/f"); !ok || !k.isLink() {
		t.Errorf("a link that was made is remembered as %+v", k)
	}
}

// TestCacheIsLimited remembers more entries than it holds.
func TestCacheIsLimited(t *testing.T) {
	c := cache{entries: make(map[string]known)}
	for i := range maxKnown + 2 {
		c.learn(fmt.Sprint(i), 0, known{})
	}
	if n := len(c.entries); n != 2 {
		t.Errorf("%d entries are remembered", n)
	}
}

// TestRenamedStaysWhatItIs follows identities through renames.
func TestRenamedStaysWhatItIs(t *testing.T) {
	d := open(t, newHost(t, servers(t)[0], Options{}), t.TempDir())
	fstest.Fill(t, d, "temp 644 new\nf 644 old")
	f, err := d.OpenFile("temp", vfs.ReadOnly, 0)
	must(t, err)
	defer f.Close()
	must(t, d.Rename("temp", nil, "f", nil))
	opened, err := f.Statx(vfs.StatxID)
	id := opened.ID()
	must(t, err)
	if a, err := vfs.Lstat(d, "f"); err != nil || a.ID() != id {
		t.Errorf("the renamed file is %v, %v; it was %v", a.ID(), err, id)
	}
	must(t, d.Remove("f", nil))
	fstest.Fill(t, d, "f 644 another")
	if a, err := vfs.Lstat(d, "f"); err != nil || a.ID() == id {
		t.Errorf("another file is %v, too: %v", a.ID(), err)
	}
}

// TestMoreChannels makes requests pile up.
func TestMoreChannels(t *testing.T) {
	for _, tt := range []struct{ offered, want int }{{9, 4}, {2, 3}, {0, 1}} {
		var opened atomic.Int32
		o := Options{OpenChannel: func() (io.ReadWriteCloser, error) {
			if int(opened.Add(1)) > tt.offered {
				return nil, errors.New("no more")
			}
			return inProcess(t), nil
		}}
		h := newHost(t, servers(t)[0], o)
		d := open(t, h, t.TempDir())
		var wg sync.WaitGroup
		data := bytes.Repeat([]byte("x"), 1<<20)
		for i := range 32 {
			wg.Go(func() {
				f, err := d.OpenFile(fmt.Sprint(i), vfs.Create, 0o600)
				if err == nil {
					_, err = f.WriteAt(data, 0)
					err = errors.Join(err, f.Close())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		h.channels.mu.Lock()
		if got := len(h.channels.all); got > tt.want {
			t.Errorf("%d more offered: %d channels, want at most %d", tt.offered, got, tt.want)
		}
		h.channels.mu.Unlock()
	}
}

// TestOldServer renames on a server without extensions.
func TestOldServer(t *testing.T) {
	h := newHost(t, servers(t)[0], Options{})
	h.ext = extensions{}
	d := open(t, h, t.TempDir())
	fstest.Fill(t, d, "f 644 new\ng 644 old\ndir/")
	must(t, d.Rename("f", nil, "g", nil))
	if got := fstest.Tree(t, d); got != "dir/ 755\ng 644 new\n" {
		t.Errorf("the tree is %q", got)
	}
	if err := d.Link(d, "g", "h"); !errors.Is(err, errors.ErrUnsupported) || d.Caps().Has(vfs.CanLink) {
		t.Errorf("a hard link: %v", err)
	}
	if err := d.Rename("g", nil, "dir", nil); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file onto a directory: %v", err)
	}
}

// TestPlantedLinksAreNotFollowed opens paths with links that belong to other users.
func TestPlantedLinksAreNotFollowed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	h := newHost(t, servers(t)[0], Options{})
	path := t.TempDir()
	must(t, os.Mkdir(filepath.Join(path, "dir"), 0o755))
	must(t, os.Symlink("dir", filepath.Join(path, "ours")))
	must(t, os.Symlink("dir", filepath.Join(path, "theirs")))
	must(t, os.Lchown(filepath.Join(path, "theirs"), nobodyUID, nobodyUID))
	must(t, os.Chmod(path, 0o777))
	for _, tt := range []struct {
		name     string
		insecure bool
		ok       bool
	}{{"ours", false, true}, {"theirs", false, false}, {"theirs", true, true}} {
		d, err := h.Open(filepath.Join(path, tt.name), vfs.OpenOptions{Trusted: true, Insecure: tt.insecure})
		if err == nil {
			must(t, d.Close())
		}
		if _, untrusted := errors.AsType[*vfs.UntrustedLinkError](err); (err == nil) != tt.ok || untrusted == tt.ok {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	d, err := h.Open(path, vfs.OpenOptions{Trusted: true})
	must(t, err)
	defer d.Close()
	if _, err := d.OpenDir("theirs", vfs.Follow); err == nil {
		t.Error("OpenDir follows what Open does not")
	}
}

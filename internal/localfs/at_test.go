package localfs_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// TestAtFollowsPaths: unlike a Dir, an At takes any path, and follows the last link in it if asked to.
func TestAtFollowsPaths(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "a/b"), 0o777),
		os.WriteFile(filepath.Join(dir, "a/b/f"), []byte("text"), 0o666),
		os.Symlink("a/b", filepath.Join(dir, "link")),
		os.Symlink("f", filepath.Join(dir, "a/b/to-f")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	at, err := localfs.Cwd.OpenAt(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if attr, err := at.Stat("link/../b/to-f", true); err != nil || attr.Size != 4 {
		t.Errorf("through links: %d, %v", attr.Size, err)
	}
	if attr, err := at.Stat("a/b/to-f", false); err != nil || attr.Mode&os.ModeSymlink == 0 {
		t.Errorf("the link itself: %v, %v", attr.Mode, err)
	}
	if _, err := at.OpenAt("link", false); err == nil {
		t.Error("a link was followed")
	}
	if f, err := at.Open("a/b/to-f", false, true); err == nil {
		f.Close()
		t.Error("a link was opened")
	}
	if target, err := at.Readlink("link/to-f"); err != nil || target != "f" {
		t.Errorf("%q, %v", target, err)
	}
	if err := at.Link(at, "link/to-f", "hard", true); err != nil {
		t.Fatal(err)
	}
	if attr, err := at.Stat("hard", false); err != nil || !attr.Mode.IsRegular() || attr.Nlink != 2 {
		t.Errorf("a link to what a link leads to: %v, %v", attr, err)
	}
}

func TestAtHeedsTheUmask(t *testing.T) {
	dir := t.TempDir()
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	if got := (localfs.Host{}).Umask(); got != 0o027 {
		t.Errorf("umask %o", got)
	}
	if got := unix.Umask(0o027); got != 0o027 {
		t.Errorf("looking has changed it to %o", got)
	}
	at, err := localfs.Cwd.OpenAt(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if err := at.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	if attr, err := at.Stat("d", false); err != nil || attr.Mode.Perm() != 0o750 {
		t.Errorf("mode %v, %v", attr.Mode, err)
	}
}

// TestAtNodes: entries are reached by all the paths that name them.
func TestAtNodes(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o777), os.Symlink("d", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	at, err := localfs.Cwd.OpenAt(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	for _, path := range []string{"d", "d/", "d/.", "d//./", "./d", "d/../d", "link/", "link/.", dir + "/d", "."} {
		n, err := at.Node(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if attr, err := vfs.Stat(n); err != nil || !attr.Mode.IsDir() {
			t.Errorf("%s: %v, %v", path, attr.Mode, err)
		}
		if err := vfs.Chmod(n, 0o711); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if attr, err := at.Stat(path, true); err != nil || attr.Mode.Perm() != 0o711 {
			t.Errorf("%s: mode %v, %v", path, attr.Mode, err)
		}
		if err := vfs.Chmod(n, 0o777); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if err := n.Close(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	n, err := at.Node("link")
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if attr, err := vfs.Stat(n); err != nil || attr.Mode&os.ModeSymlink == 0 {
		t.Errorf("a link: %v, %v", attr.Mode, err)
	}
}

func TestEntriesOfPaths(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o777), os.Symlink("d", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	id := func(path string, follow bool) (ino uint64, name string) {
		t.Helper()
		dir, name, err := localfs.Cwd.Entry(filepath.Join(dir)+"/"+path, follow)
		if err != nil {
			t.Fatal(err)
		}
		return dir.Ino, name
	}
	want, _ := id("d/f", false)
	for _, c := range []struct {
		path   string
		follow bool
		same   bool
	}{
		{"d/f", false, true},
		{"d/f/", false, true},
		{"d//f", false, true},
		{"d/../d/f", false, true},
		{"link/f", true, true},
		{"link/f", false, false},
		{"f", false, false},
	} {
		if got, name := id(c.path, c.follow); (got == want) != c.same || name != "f" {
			t.Errorf("%s: directory %d, name %s", c.path, got, name)
		}
	}
}

// TestStreamsHaveNoOffsets: pipes are read and written from start to end.
func TestStreamsHaveNoOffsets(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o666); err != nil {
		t.Skip(err)
	}
	wrote := make(chan error, 1)
	go func() {
		w, err := localfs.Cwd.Rewrite(fifo, true)
		if err == nil {
			_, err = localfs.Stream(w).WriteAt([]byte("one, two"), 100)
			err = errors.Join(err, w.Close())
		}
		wrote <- err
	}()
	r, err := localfs.Cwd.Open(fifo, true, false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, got := localfs.Stream(r), ""
	for p := make([]byte, 5); ; {
		n, err := s.ReadAt(p, 1000)
		got += string(p[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := <-wrote; err != nil || got != "one, two" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAtSearchesDirectories checks that paths can start from a directory that may not be read, and that it has
// attributes.
func TestAtSearchesDirectories(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o300), os.Symlink("d", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "d"), 0o700) }) // or it cannot be removed
	want, err := localfs.Cwd.Stat(dir+"/d", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		follow bool
	}{{"d", false}, {"link", true}} {
		at, err := localfs.Cwd.SearchAt(filepath.Join(dir, c.name), c.follow)
		if errors.Is(err, os.ErrPermission) && runtime.GOOS != "linux" {
			t.Skip("the system opens no directory that may not be read")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		if got, err := at.Fstat(); err != nil || got.ID() != want.ID() {
			t.Errorf("%s is %v, want %v: %v", c.name, got.ID(), want.ID(), err)
		}
		if f, err := at.Create("f", 0o666, false); err != nil {
			t.Error(err)
		} else if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if at, err := localfs.Cwd.SearchAt(filepath.Join(dir, "link"), false); err == nil {
		at.Close()
		t.Error("a link was followed")
	}
}

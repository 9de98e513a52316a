package trusted

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// TestOpenFileLeadsWhereTheKernelDoes opens paths by elements and at once.
func TestOpenFileLeadsWhereTheKernelDoes(t *testing.T) {
	t.Chdir(t.TempDir())
	wd, err := os.Getwd()
	mustDo(t, err, os.MkdirAll("a/b", 0o755), os.WriteFile("a/b/file", []byte("deep"), 0o644), os.WriteFile("file", []byte("here"), 0o644),
		os.Symlink("a/b", "dir"), os.Symlink("file", "link"), os.Symlink("../../link", "a/b/up"), os.Symlink(wd+"/dir/file", "absolute"),
		os.Symlink("loop", "loop"), os.Symlink("nowhere", "dangling"), os.Symlink("dir/new", "maker"),
		os.MkdirAll("locked/in/deep", 0o755), os.WriteFile("locked/in/deep/file", []byte("locked"), 0o644), os.WriteFile("locked/file", []byte("first"), 0o644),
		os.Symlink("in/deep/file", "locked/link"), os.Chmod("locked/in", 0o311), os.Chmod("locked", 0o311))
	t.Cleanup(func() { mustDo(t, os.Chmod("locked", 0o755), os.Chmod("locked/in", 0o755)) })
	for _, path := range []string{
		"file", "./file", "a/b/file", "a//b/../b/file", "dir/file", "dir/../b/file", "link", "dir/up", "absolute", wd + "/dir/up",
		"missing", "missing/file", "dangling", "loop", "loop/file", "file/x", "", "/proc/self/cwd/file", "/dev/null",
		"locked/file", wd + "/locked/file", "locked/in/deep/file", "locked/link", "locked/../locked/./in/deep/file", "locked/in/missing", "locked/missing/file",
	} {
		want, wantErr := os.ReadFile(path)
		for _, search := range []int{0, unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW} {
			w := newWalk(vfs.OpenOptions{})
			if search != 0 {
				w.search = search
			}
			got, err := readBy(w, path)
			if string(got) != string(want) || !errors.Is(err, errors.Unwrap(wantErr)) {
				t.Errorf("%q, %#x: %q, %v; want %q, %v", path, search, got, err, want, wantErr)
			}
		}
	}
	for _, path := range []string{"a/", "/", "."} {
		if _, err := readBy(newWalk(vfs.OpenOptions{}), path); err == nil {
			t.Errorf("%q was read", path)
		}
	}
	f, err := OpenFile("maker", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	mustDo(t, f.Close())
	if info, err := os.Lstat("a/b/new"); err != nil || info.Mode() != 0o600 {
		t.Errorf("made %v, %v", info, err)
	}
	if _, err := OpenFile("maker", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("O_EXCL at a link: %v", err)
	}
}

func readBy(w *walk, path string) ([]byte, error) {
	fd, err := w.openFile(unix.AT_FDCWD, "", path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return io.ReadAll(f)
}

// TestOpenFileFollowsNoPlantedLink has the cases of rsync 3.5's tests of operator paths: links of various owners, in
// directories of various owners, as the last element of a path or an earlier one, absolute and relative.
func TestOpenFileFollowsNoPlantedLink(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give links to others")
	}
	const other = 65534
	for _, tt := range []struct {
		name       string
		link, dir  int // owners
		mode       fs.FileMode
		isFollowed bool
	}{
		{"mine in mine", 0, 0, 0o755, true},
		{"mine in a directory of another", 0, other, 0o755, true},
		{"mine in a directory of everybody", 0, 0, 0o777 | fs.ModeSticky, true},
		{"another's where only root could put it", other, 0, 0o755, true},
		{"another's in that one's directory", other, other, 0o755, false},
		{"another's in a directory of everybody", other, 0, 0o777 | fs.ModeSticky, false},
		{"another's in a directory of the group", other, 0, 0o775, false},
	} {
		t.Chdir(t.TempDir())
		wd, err := os.Getwd()
		mustDo(t, err, os.Mkdir("dir", 0o755), os.Mkdir("out", 0o755), os.WriteFile("out/victim", []byte("keep"), 0o644))
		links := map[string]string{
			"leaf": "../out/victim", "leaf-absolute": wd + "/out/victim", "way": "../out", "way-absolute": wd + "/out", "dangling": "../out/new",
		}
		for name, target := range links {
			mustDo(t, os.Symlink(target, "dir/"+name), os.Lchown("dir/"+name, tt.link, tt.link))
		}
		mustDo(t, os.Chmod("dir", tt.mode), os.Chown("dir", tt.dir, tt.dir))
		for _, path := range []string{"dir/leaf", "dir/leaf-absolute", "dir/way/victim", "dir/way-absolute/victim", wd + "/dir/leaf", "dir/dangling"} {
			f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
			if err == nil {
				f.Close()
			}
			if refused := errors.As(err, new(*vfs.UntrustedLinkError)); refused == tt.isFollowed || !refused && err != nil {
				t.Errorf("%s, %s: %v", tt.name, path, err)
			}
		}
		text, err := os.ReadFile("out/victim")
		if _, made := os.Lstat("out/new"); err != nil || (string(text) == "keep") == tt.isFollowed || (made == nil) != tt.isFollowed {
			t.Errorf("%s: the victim is %q, %v, and the new file %v", tt.name, text, err, made)
		}
	}
}

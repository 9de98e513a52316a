package trusted

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/testtmp"
	"psync/internal/vfs"
)

func TestMain(m *testing.M) { os.Exit(testtmp.Run(m)) }

func mustDo(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestOpenerLeadsWhereTheKernelDoes opens paths by elements and at once.
func TestOpenerLeadsWhereTheKernelDoes(t *testing.T) {
	t.Chdir(t.TempDir())
	wd, err := os.Getwd()
	mustDo(t, err, os.MkdirAll("a/b/c", 0o755), os.Mkdir("locked", 0o755), os.MkdirAll("locked/in/deep", 0o755),
		os.Symlink("a/b", "link"), os.Symlink(wd+"/link/c", "absolute"), os.Symlink("../..", "a/b/up"),
		os.Symlink("link/up/locked", "chain"), os.Symlink("loop", "loop"), os.Symlink("nowhere", "dangling"),
		os.WriteFile("file", nil, 0o644), os.Symlink("file", "filelink"), os.Symlink("/", "root"), os.Symlink("in/deep", "locked/link"),
		os.Chmod("locked", 0o111))
	t.Cleanup(func() { _ = os.Chmod("locked", 0o755) })
	paths := []string{
		".", "./", "/", "//", "a", "a/", "a//b/.", "a/..", "..", "link", "link/", "link/..", "link/c/../../x/../b", "absolute",
		"absolute/../..", "a/b/up/locked/in/deep", "locked/in", "locked/in/..", "locked", "locked/link", "locked/link/..", "a/../locked/.", "loop", "dangling", "dangling/x", "file", "file/x", "filelink",
		"missing", "missing/x", "root", "root/..", "/proc/self/cwd", "/dev/fd/.", "/proc/self/root/etc", wd + "/link/c",
	}
	for _, path := range paths {
		for _, search := range []int{0, unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW} {
			want, wantErr := identify(unix.AT_FDCWD, path)
			w := newWalk(vfs.OpenOptions{})
			if search != 0 {
				w.search = search
			}
			var got vfs.ID
			fd, err := w.open(unix.AT_FDCWD, "", path, false)
			if err == nil {
				got, err = identify(fd, ".")
				unix.Close(fd)
			}
			if got != want || !errors.Is(err, wantErr) {
				t.Errorf("%s, %#x: %v, %v; want %v, %v", path, search, got, err, want, wantErr)
			}
		}
	}
}

// identify returns the identity of a directory that can be read.
func identify(dirfd int, name string) (vfs.ID, error) {
	fd, err := sys.Openat(dirfd, name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return vfs.ID{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	err = sys.Fstat(fd, &st)
	return stat.Attr(&st).ID(), err
}

package delayfs_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/delayfs"
)

// mount mounts a new directory for the duration of a test, and returns both directories.
func mount(t *testing.T, opt delayfs.Options) (f *delayfs.FS, root, mnt string) {
	t.Helper()
	f, root, mnt = mountOnly(t, opt)
	t.Cleanup(func() {
		if err := f.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return f, root, mnt
}

// mountOnly leaves the result of Unmount to the test.
func mountOnly(t *testing.T, opt delayfs.Options) (f *delayfs.FS, root, mnt string) {
	t.Helper()
	root, mnt = t.TempDir(), t.TempDir()
	f, err := delayfs.Mount(root, mnt, opt)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Unmount() })
	return f, root, mnt
}

// ops are the operations that other processes carry out on a mount, because this process serves the mount. The
// test starts itself for each operation.
var ops = []struct {
	name string
	do   func(mnt string) error
	want delayfs.Counts
}{
	{"attributes of the root", stat, delayfs.Counts{"GETATTR": 1}},
	{"attributes that are known", stat, delayfs.Counts{}},
	{"a name", below(stat, "old"), delayfs.Counts{"LOOKUP": 1}},
	{"a name that is known", below(stat, "old"), delayfs.Counts{}},
	{"a new directory", below(mkdir, "dir"), delayfs.Counts{"LOOKUP": 1, "MKDIR": 1}},
	{"times", below(touch, "dir"), delayfs.Counts{"SETATTR": 1}},
	{"another name", rename("old", "new"), delayfs.Counts{"LOOKUP": 1, "RENAME": 1}},
	{"a symbolic link", below(symlink, "link"), delayfs.Counts{"LOOKUP": 1, "SYMLINK": 1}},
	{"where it leads to", below(readlink, "link"), delayfs.Counts{"READLINK": 1}},
	{"no name any more", below(syscall.Unlink, "link"), delayfs.Counts{"UNLINK": 1}},
	{"no directory any more", below(syscall.Rmdir, "dir"), delayfs.Counts{"RMDIR": 1}},
}

func below(do func(string) error, name string) func(string) error {
	return func(mnt string) error { return do(filepath.Join(mnt, name)) }
}

func rename(from, to string) func(string) error {
	return func(mnt string) error { return syscall.Rename(filepath.Join(mnt, from), filepath.Join(mnt, to)) }
}

func mkdir(path string) error    { return syscall.Mkdir(path, 0o777) }
func touch(path string) error    { return os.Chtimes(path, time.Now(), time.Now()) }
func symlink(path string) error  { return syscall.Symlink("target", path) }
func readlink(path string) error { _, err := syscall.Readlink(path, make([]byte, 100)); return err }

func stat(path string) error {
	var st syscall.Stat_t
	return syscall.Lstat(path, &st)
}

// The environment says what a process of the test should do.
const (
	doing = "PSYNC_TEST_DELAYFS" // the name of one of ops, or serve
	root  = "PSYNC_TEST_DELAYFS_ROOT"
	mnt   = "PSYNC_TEST_DELAYFS_MOUNT"
)

const serve = "serve"

func TestMain(m *testing.M) {
	what := os.Getenv(doing)
	if what == "" {
		os.Exit(m.Run())
	}
	if what == serve {
		if _, err := delayfs.Mount(os.Getenv(root), os.Getenv(mnt), delayfs.Options{}); err != nil {
			panic(err)
		}
		fmt.Println("mounted")
		select {}
	}
	for _, op := range ops {
		if op.name == what {
			if err := op.do(os.Getenv(mnt)); err != nil {
				panic(err)
			}
		}
	}
}

// process prepares a process that uses or serves a mount.
func process(what, rootDir, mntDir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), doing+"="+what, root+"="+rootDir, mnt+"="+mntDir, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

func TestOperationsAreCounted(t *testing.T) {
	f, root, mnt := mount(t, delayfs.Options{CacheFor: time.Hour})
	if err := os.WriteFile(filepath.Join(root, "old"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range ops {
		t.Run(tt.name, func(t *testing.T) {
			f.Reset()
			if err := process(tt.name, root, mnt).Run(); err != nil {
				t.Fatal(err)
			}
			if got := f.Counts(); !maps.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestNothingIsKeptIfSo(t *testing.T) {
	f, root, mnt := mount(t, delayfs.Options{CacheFor: -1})
	for range 3 {
		if err := process("attributes of the root", root, mnt).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Counts()["GETATTR"]; got != 3 {
		t.Errorf("%d GETATTRs of what nothing remembers, want 3", got)
	}
}

// TestContentsPassUnchanged compares both sides of entries made through the mount.
func TestContentsPassUnchanged(t *testing.T) {
	_, root, mnt := mount(t, delayfs.Options{})
	// The umask of the user must apply, not that of the process that serves the mount.
	defer syscall.Umask(syscall.Umask(0o077))
	shell(t, mnt, `umask 0; mkdir dir && echo text >dir/file && chmod 4751 dir/file &&
		ln dir/file dir/other && ln -s gone link && mkfifo fifo && umask 027 && mkdir mine && : >mine/file &&
		truncate -s 1M hole && touch -h -d @123456789.123456789 link dir dir/file`)
	const look = `cat dir/other && stat -c '%n %A' fifo mine dir && stat -c '%n %A %h %s' mine/file dir/file link hole &&
		stat -c '%n %.9Y' link dir dir/file && stat -c '%n %b' hole`
	const want = `text
fifo prw-rw-rw-
mine drwxr-x---
dir drwxrwxrwx
mine/file -rw-r----- 1 0
dir/file -rwsr-x--x 2 5
link lrwxrwxrwx 1 4
hole -rw-r----- 1 1048576
link 123456789.123456789
dir 123456789.123456789
dir/file 123456789.123456789
hole 0
`
	for _, side := range []string{mnt, root} {
		if got := shell(t, side, look); got != want {
			t.Errorf("in %s:\n%s\nwant:\n%s", side, got, want)
		}
	}
}

// shell runs a script in a directory, and returns what it prints.
func shell(t *testing.T, dir, script string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `cd "$0" && `+script, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestOperationsAreDelayed(t *testing.T) {
	const delay = 100 * time.Millisecond
	_, root, mnt := mount(t, delayfs.Options{Delay: delay})
	start := time.Now()
	if err := process("attributes of the root", root, mnt).Run(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < delay {
		t.Errorf("took %v with a delay of %v", took, delay)
	}
}

// TestDelaysOverlap makes many operations wait longer than the test may last, so that all operations wait in
// parallel, and then unmounts the file system.
func TestDelaysOverlap(t *testing.T) {
	f, _, mnt := mountOnly(t, delayfs.Options{Delay: time.Hour})
	const users = 64
	script := `n=0; while [ $n -lt $1 ]; do { [ -e "$0/$n" ] || :; } & n=$((n+1)); done; wait`
	shell := exec.Command("sh", "-c", script, mnt, strconv.Itoa(users))
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return f.Counts()["LOOKUP"] == users })
	if err := f.Unmount(); err == nil {
		t.Error("unmounting what is in use is no error")
	}
	if os.Geteuid() == 0 { // fusermount cannot detach a mount in use
		_ = shell.Wait()
	}
}

// TestMountEndsWithItsProcess kills a process that serves a mount.
func TestMountEndsWithItsProcess(t *testing.T) {
	f, root, mnt := mount(t, delayfs.Options{}) // skips the test where mounting is impossible
	if err := f.Unmount(); err != nil {
		t.Fatal(err)
	}
	server := process(serve, root, mnt)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "mounted\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if !mounted(t, mnt) {
		t.Error("nothing is mounted, so nothing is tested")
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	waitFor(t, func() bool { return !mounted(t, mnt) })
}

func mounted(t *testing.T, mnt string) bool {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(mounts), " "+mnt+" ")
}

// waitFor waits until a condition holds that other processes bring about.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for !holds() {
		if deadline, ok := t.Deadline(); ok && time.Until(deadline) < time.Second {
			t.Fatal("waited for nothing")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, root, mnt string
		want            error
	}{
		{"no root", filepath.Join(dir, "none"), dir, fs.ErrNotExist},
		{"no mountpoint", dir, filepath.Join(dir, "none"), fs.ErrNotExist},
		{"a file as root", file, dir, syscall.ENOTDIR},
		{"a file as mountpoint", dir, file, syscall.ENOTDIR},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := delayfs.Mount(tt.root, tt.mnt, delayfs.Options{}); !errors.Is(err, tt.want) || errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

package main

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// privateMounts is set in the environment of a test that has mounts of its own.
const privateMounts = "PSYNC_TEST_PRIVATE_MOUNTS"

// mountPrivately starts the test again in a mount namespace of its own, if it has
// the rights to: what scripts mount is gone with it, however it ends.
func mountPrivately() {
	if os.Geteuid() != 0 || os.Getenv(privateMounts) != "" {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Unshare(unix.CLONE_NEWNS) != nil || unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") != nil {
		return
	}
	os.Setenv(privateMounts, "1")
	if self, err := os.Executable(); err == nil {
		_ = syscall.Exec(self, os.Args, os.Environ())
	}
	os.Unsetenv(privateMounts)
}

func canMount() bool {
	return os.Getenv(privateMounts) != "" && worksOn("mount", func(dir string) error {
		return errors.Join(unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"), unix.Unmount(dir, 0))
	})
}

// canMountVFAT reports whether there can be a file system that ignores case.
func canMountVFAT() bool {
	return canMount() && worksOn("vfat", func(dir string) error {
		return errors.Join(mountVFAT(dir, 1<<20), unix.Unmount(dir, 0))
	})
}

// mountVFAT mounts a new file system in a file that nothing else leads to.
func mountVFAT(dir string, size int64) error {
	image, err := os.CreateTemp("", "vfat")
	if err != nil {
		return err
	}
	defer os.Remove(image.Name())
	return errors.Join(
		image.Truncate(size), image.Close(),
		exec.Command("mkfs.vfat", image.Name()).Run(),
		exec.Command("mount", "-t", "vfat", "-o", "loop", image.Name(), dir).Run(),
	)
}

// cmdMount mounts for the time of a script a file system of some size, a directory
// a second time, or a directory on itself, read-only:
//
//	mount tmpfs SIZE DIR
//	mount vfat SIZE DIR
//	mount bind FROM DIR
//	mount readonly DIR
func cmdMount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mount tmpfs SIZE DIR, mount vfat SIZE DIR, mount bind FROM DIR, mount readonly DIR")
	}
	dir := ts.MkAbs(args[len(args)-1])
	ts.Check(os.MkdirAll(dir, 0o755))
	switch args[0] {
	case "tmpfs":
		ts.Check(unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=755,size="+args[1]))
	case "vfat":
		ts.Check(mountVFAT(dir, parseSize(ts, args[1])))
	case "bind":
		ts.Check(unix.Mount(ts.MkAbs(args[1]), dir, "", unix.MS_BIND, ""))
	case "readonly":
		ts.Check(unix.Mount(dir, dir, "", unix.MS_BIND, ""))
		ts.Check(unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	default:
		ts.Fatalf("mount: unknown kind %s", args[0])
	}
	ts.Defer(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }) // else the directory could not be removed
}

package main

import (
	"errors"
	"fmt"
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
	_ = os.Setenv(privateMounts, "1")
	if self, err := os.Executable(); err == nil {
		_ = syscall.Exec(self, os.Args, os.Environ())
	}
	_ = os.Unsetenv(privateMounts)
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

func mountVFAT(dir string, size int64) error { return mountImage(dir, size, "vfat") }

// canMountExt4 reports whether there can be a file system with little room for attributes.
func canMountExt4() bool {
	return canMount() && worksOn("ext4", func(dir string) error {
		return errors.Join(mountExt4(dir, 1<<20), unix.Unmount(dir, 0))
	})
}

// canMountXFS and canMountBtrfs report whether there can be a file system whose files
// can share blocks.
func canMountXFS() bool   { return canMountSharing("xfs") }
func canMountBtrfs() bool { return canMountSharing("btrfs") }

func canMountSharing(kind string) bool {
	return canMount() && worksOn(kind, func(dir string) error {
		return errors.Join(mountImage(dir, 320<<20, kind, "-q"), unix.Unmount(dir, 0))
	})
}

// mountExt4 mounts a new ext4 in which the attributes of an entry must fit in 1 KiB.
func mountExt4(dir string, size int64) error {
	return mountImage(dir, size, "ext4", "-q", "-I", "256", "-b", "1024")
}

// mountImage mounts a new file system in a file that nothing else leads to.
func mountImage(dir string, size int64, kind string, mkfs ...string) error {
	image, err := os.CreateTemp("", kind)
	if err != nil {
		return err
	}
	defer os.Remove(image.Name())
	return errors.Join(
		image.Truncate(size), image.Close(),
		exec.Command("mkfs."+kind, append(mkfs, image.Name())...).Run(),
		exec.Command("mount", "-t", kind, "-o", "loop", image.Name(), dir).Run(),
	)
}

// mountOverlay mounts what is written to go into a directory of its own next to dir.
func mountOverlay(lower, dir string) error {
	upper, work := dir+".upper", dir+".work"
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work)
	return errors.Join(os.Mkdir(upper, 0o755), os.Mkdir(work, 0o755), unix.Mount("overlay", dir, "overlay", 0, options))
}

// canMountOverlay reports whether there can be one here.
func canMountOverlay() bool {
	return canMount() && worksOn("overlay", func(dir string) error {
		lower := dir + ".lower"
		defer func() { _, _, _ = os.RemoveAll(lower), os.RemoveAll(dir+".upper"), os.RemoveAll(dir+".work") }()
		return errors.Join(os.Mkdir(lower, 0o755), mountOverlay(lower, dir), unix.Unmount(dir, 0))
	})
}

// cmdMount mounts for the time of a script a file system of some size, a directory
// a second time, or a directory on itself, read-only:
//
//	mount tmpfs SIZE DIR
//	mount vfat SIZE DIR
//	mount ext4 SIZE DIR
//	mount xfs SIZE DIR
//	mount btrfs SIZE DIR
//	mount ramfs DIR
//	mount overlay LOWER DIR
//	mount bind FROM DIR
//	mount readonly DIR
//
// A ramfs has neither ACLs nor extended attributes nor flags.
func cmdMount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mount KIND [SIZE | FROM] DIR")
	}
	dir := ts.MkAbs(args[len(args)-1])
	ts.Check(os.MkdirAll(dir, 0o755))
	switch args[0] {
	case "tmpfs":
		ts.Check(unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=755,size="+args[1]))
	case "vfat":
		ts.Check(mountVFAT(dir, parseSize(ts, args[1])))
	case "ext4":
		ts.Check(mountExt4(dir, parseSize(ts, args[1])))
	case "xfs", "btrfs":
		ts.Check(mountImage(dir, parseSize(ts, args[1]), args[0], "-q"))
	case "ramfs":
		ts.Check(unix.Mount("ramfs", dir, "ramfs", 0, "mode=755"))
	case "overlay":
		ts.Check(mountOverlay(ts.MkAbs(args[1]), dir))
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

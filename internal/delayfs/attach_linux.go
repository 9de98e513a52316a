package delayfs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const device = "/dev/fuse"

// openDevice returns a descriptor for serving a mount. Unlike the descriptor that go-fuse opens, other programs
// do not inherit it: otherwise the mount would outlive this process as long as they wait for the mount.
func openDevice() (fd int, err error) {
	fd, err = syscall.Open(device, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil { // fusermount cannot open the device either, because it opens the device with the rights of its user
		return -1, fmt.Errorf("%w: %w", errors.ErrUnsupported, &os.PathError{Op: "open", Path: device, Err: err})
	}
	return fd, nil
}

// mountDirectly mounts without fusermount, which root can do.
func mountDirectly(fd int, mountpoint string) error {
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d,max_read=%d", fd, os.Geteuid(), os.Getegid(), maxRequest)
	return syscall.Mount(fsName, mountpoint, "fuse."+fsName, syscall.MS_NOSUID|syscall.MS_NODEV, options)
}

func detachDirectly(mountpoint string) detacher {
	return func(force bool) error {
		flags := 0
		if force {
			flags = syscall.MNT_FORCE | syscall.MNT_DETACH
		}
		return os.NewSyscallError("umount", syscall.Unmount(mountpoint, flags))
	}
}

func detachByHelper(mountpoint string) detacher {
	return func(force bool) error {
		flags := "-u"
		if force {
			flags = "-uz"
		}
		helper, err := exec.LookPath("fusermount3")
		if err != nil {
			helper = "fusermount"
		}
		if out, err := exec.Command(helper, flags, mountpoint).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", helper, err, out)
		}
		return nil
	}
}

// refusePolls makes the kernel send one POLL request; go-fuse's refusal then holds for all files. Otherwise the
// runtime would cause such a request for each file that this process opens, and would block the thread that has
// to answer the request.
func refusePolls(mountpoint string) error {
	fd, err := syscall.Open(filepath.Join(mountpoint, ".go-fuse-epoll-hack"), syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("open", err)
	}
	var set syscall.FdSet
	if word := fd / 64; word < len(set.Bits) {
		set.Bits[word] |= 1 << (fd % 64)
	}
	_, err = syscall.Select(fd+1, &set, nil, nil, &syscall.Timeval{})
	return errors.Join(os.NewSyscallError("select", err), syscall.Close(fd))
}

// startGuard starts a process that unmounts the file system when this process has died. The returned function
// stops the guard before that.
func startGuard(mountpoint string) (dismiss func(), err error) {
	const script = `read -r _; umount -l "$0" || fusermount3 -uz "$0" || fusermount -uz "$0"`
	guard := exec.Command("sh", "-c", script, mountpoint)
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal from the terminal that ends this process must not reach the guard
	if _, err := guard.StdinPipe(); err != nil {            // the other end of the pipe stays open as long as this process lives
		return nil, err
	}
	if err := guard.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = guard.Process.Kill()
		_ = guard.Wait() // Wait always reports that the guard was killed
	}, nil
}

package delayfs

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Mount makes the contents of root appear at mountpoint, an empty directory. The error wraps
// [errors.ErrUnsupported] if the system has no FUSE or does not let this user mount. The caller must call
// [FS.Unmount]; if this process dies before that, the users of the mount get errors, and the file system is
// unmounted.
//
// Only this user can enter the mount.
func Mount(root, mountpoint string, opt Options) (*FS, error) {
	f, err := mount(root, mountpoint, opt)
	if err != nil {
		return nil, fmt.Errorf("delayfs: mount %s at %s: %w", root, mountpoint, err)
	}
	return f, nil
}

func mount(root, mountpoint string, opt Options) (*FS, error) {
	root, err := directory(root)
	if err != nil {
		return nil, err
	}
	if mountpoint, err = directory(mountpoint); err != nil {
		return nil, err
	}
	node, err := fs.NewLoopbackRoot(root)
	if err != nil {
		return nil, err
	}
	keep := max(opt.CacheFor, 0)
	if opt.CacheFor == 0 {
		keep = time.Second
	}
	f := &FS{counts: make(Counts)}
	below := fs.NewNodeFS(node, &fs.Options{EntryTimeout: &keep, AttrTimeout: &keep, NullPermissions: true})
	server, detach, err := serve(&raw{RawFileSystem: below, fs: f, umask: opt.Umask, forgets: opt.Forgets}, mountpoint)
	if err != nil {
		return nil, err
	}
	dismiss, err := startGuard(mountpoint)
	if err != nil {
		return nil, errors.Join(err, detach(true))
	}
	f.unmount = sync.OnceValue(func() error {
		dismiss()
		err := detach(false)
		// The files of a process that has just been killed are closed a little later.
		for end := time.Now().Add(busyTimeout); err != nil && time.Now().Before(end); err = detach(false) {
			time.Sleep(10 * time.Millisecond)
		}
		if err != nil {
			return fmt.Errorf("delayfs: unmount %s: %w", mountpoint, errors.Join(err, detach(true)))
		}
		server.Wait()
		return nil
	})
	f.SetDelay(opt.Delay) // not earlier, because mounting looks up a name
	f.Reset()
	return f, nil
}

// busyTimeout is how long a mount may be busy before it is detached by force.
const busyTimeout = time.Second

// directory returns the absolute path of a directory.
func directory(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "mount", Path: path, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

const (
	fsName     = "delayfs"
	maxRequest = 1 << 20 // bytes of a READ or WRITE: as in NFS, and the maximum that kernels allow

	// maxInBackground is how many operations without a waiting program, such as RELEASE, the kernel has in flight.
	// With the default, 12, readahead queues behind them.
	maxInBackground = 1 << 10
)

// A detacher unmounts a file system. A mount that is in use requires force, which detaches the mount from its
// users.
type detacher func(force bool) error

// serve mounts and serves below: directly if this user may mount, otherwise through fusermount.
func serve(below fuse.RawFileSystem, mountpoint string) (*fuse.Server, detacher, error) {
	fd, err := openDevice()
	if err != nil {
		return nil, nil, err
	}
	at, detach := fmt.Sprintf("/dev/fd/%d", fd), detachDirectly(mountpoint) // the server takes this name for an existing mount
	if err := mountDirectly(fd, mountpoint); err != nil {
		at, detach = mountpoint, detachByHelper(mountpoint)
		if err := errors.Join(err, syscall.Close(fd)); !errors.Is(err, os.ErrPermission) {
			return nil, nil, err
		}
	}
	server, err := fuse.NewServer(below, at, &fuse.MountOptions{
		Name: fsName, FsName: fsName,
		MaxWrite: maxRequest, MaxBackground: maxInBackground,
		// With passthrough, the kernel itself would read and write the files below.
		DisabledCapabilities: fuse.CAP_PASSTHROUGH,
		// The file system below removes capabilities from written files. Without this flag the kernel asks for
		// capabilities before each WRITE; with this flag it asks once for each file.
		ExtraCapabilities: fuse.CAP_HANDLE_KILLPRIV_V2,
		// The logger would report operations that are refused. The panic handler makes bugs in this package visible.
		Logger:       log.New(io.Discard, "", 0),
		PanicHandler: func(v any) fuse.Status { panic(v) },
	})
	switch {
	case err == nil:
	case at == mountpoint: // fusermount is missing or refuses
		return nil, nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	default:
		return nil, nil, errors.Join(err, detach(true))
	}
	go server.Serve()
	if err := errors.Join(server.WaitMount(), refusePolls(mountpoint)); err != nil {
		return nil, nil, errors.Join(err, detach(true))
	}
	return server, detach, nil
}

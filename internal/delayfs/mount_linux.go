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

// Mount makes what is in root appear at mountpoint, an empty directory. The error
// wraps [errors.ErrUnsupported] where the system has no FUSE, or does not let this
// user mount. [FS.Unmount] has to follow; should this process die before, the users
// of the mount get errors, and it is taken away.
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
		// What a process had open that has just been killed is closed a little later.
		for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = detach(false) {
			time.Sleep(10 * time.Millisecond)
		}
		if err != nil {
			return fmt.Errorf("delayfs: unmount %s: %w", mountpoint, errors.Join(err, detach(true)))
		}
		server.Wait()
		return nil
	})
	f.SetDelay(opt.Delay) // not before, since mounting looks up a name
	f.Reset()
	return f, nil
}

// patience is how long a mount may be busy before it is cut off.
const patience = time.Second

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
	maxRequest = 1 << 20 // bytes of a READ or WRITE: as of NFS, and the most that kernels allow

	// The kernel has this many operations in flight that nobody waits for, such as
	// RELEASE. By default it is 12, and then reads ahead queue behind them.
	maxInBackground = 1 << 10
)

// A detacher takes a mount away. One that is in use takes force, which cuts off its users.
type detacher func(force bool) error

// serve mounts and serves below: by itself if this user may, else by fusermount.
func serve(below fuse.RawFileSystem, mountpoint string) (*fuse.Server, detacher, error) {
	fd, err := openDevice()
	if err != nil {
		return nil, nil, err
	}
	at, detach := fmt.Sprintf("/dev/fd/%d", fd), detachDirectly(mountpoint) // what the server takes as mounted
	if err := mountDirectly(fd, mountpoint); err != nil {
		at, detach = mountpoint, detachByHelper(mountpoint)
		if err := errors.Join(err, syscall.Close(fd)); !errors.Is(err, os.ErrPermission) {
			return nil, nil, err
		}
	}
	server, err := fuse.NewServer(below, at, &fuse.MountOptions{
		Name: fsName, FsName: fsName,
		MaxWrite: maxRequest, MaxBackground: maxInBackground,
		// With it the kernel would read and write the files below by itself.
		DisabledCapabilities: fuse.CAP_PASSTHROUGH,
		// The file system below takes capabilities from what is written to. Without this
		// the kernel asks for them before each WRITE; with it once for each file.
		ExtraCapabilities: fuse.CAP_HANDLE_KILLPRIV_V2,
		// It tells of operations that are refused. What is wrong in here shall be seen.
		Logger:       log.New(io.Discard, "", 0),
		PanicHandler: func(v any) fuse.Status { panic(v) },
	})
	switch {
	case err == nil:
	case at == mountpoint: // no fusermount, or it refuses
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

package localfs

import (
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Host implements [vfs.Host] for the computer that this program runs on.
type Host struct{}

func (Host) Stat(path string) (vfs.Attr, error) {
	var st unix.Stat_t
	err := sys.Statat(unix.AT_FDCWD, path, &st)
	return attr(&st), pathError("stat", path, err)
}

func (Host) Lstat(path string) (vfs.Attr, error) {
	var st unix.Stat_t
	err := sys.Lstatat(unix.AT_FDCWD, path, &st)
	return attr(&st), pathError("lstat", path, err)
}

// ClearUmask implements [vfs.Host]. The umask is that of the process.
func (Host) ClearUmask() fs.FileMode { return fs.FileMode(unix.Umask(0)) }

// User implements [vfs.Host]. If the groups cannot be determined, Groups is empty, and files that are therefore
// not given to them are reported.
func (Host) User() vfs.User {
	groups, err := os.Getgroups()
	if err != nil {
		groups = nil
	}
	return vfs.User{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups}
}

func (Host) System() string { return runtime.GOOS }

func (Host) Kernel() vfs.Kernel {
	hostname, _ := os.Hostname()
	return vfs.Kernel{
		Hostname: hostname, Machine: sys.MachineID(),
		Boot: sys.BootID(), Booted: sys.BootTime(), Processes: sys.ProcessNamespace(),
	}
}

package localfs

import (
	"io/fs"
	"os"
	osuser "os/user"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/overlap"
	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// Host implements [vfs.Host] for the computer that this program runs on.
type Host struct{}

func (Host) Stat(path string, how vfs.Resolve) (vfs.Attr, error) {
	var st unix.Stat_t
	if how == vfs.NoFollow {
		err := sys.Lstatat(unix.AT_FDCWD, path, &st)
		return stat.Attr(&st), vfs.PathError("lstat", path, err)
	}
	err := sys.Statat(unix.AT_FDCWD, path, &st)
	return stat.Attr(&st), vfs.PathError("stat", path, err)
}

// Inside implements [vfs.Host].
func (Host) Inside(inner, outer string) (routes []string, inside bool, err error) {
	return overlap.Inside(inner, outer)
}

// Resolve implements [vfs.Host].
func (Host) Resolve(path string) (string, error) { return overlap.Resolve(path) }

// Umask returns the umask of the process. Files made at the same time by other threads may get the wrong permissions.
func (Host) Umask() fs.FileMode {
	old := unix.Umask(0o777)
	unix.Umask(old)
	return fs.FileMode(old)
}

// ClearUmask implements [vfs.Host]. The umask is that of the process.
func (Host) ClearUmask() fs.FileMode { return fs.FileMode(unix.Umask(0)) }

// Info implements [vfs.Host]. If the groups cannot be determined, Groups is empty, and files that are therefore
// not given to them are reported.
func (Host) Info() vfs.HostInfo {
	info.once.Do(func() {
		groups, err := os.Getgroups()
		if err != nil {
			groups = nil
		}
		info.HostInfo = vfs.HostInfo{System: runtime.GOOS, User: vfs.User{UID: os.Geteuid(), GID: os.Getegid(), Groups: groups}}
	})
	return info.HostInfo
}

var info struct {
	once sync.Once
	vfs.HostInfo
}

// Account implements [vfs.Host] with package os/user, which without cgo only reads /etc/passwd and /etc/group.
func (Host) Account(a vfs.Account) (vfs.Account, error) {
	key, lookup, lookupGroup := a.Name, osuser.Lookup, osuser.LookupGroup
	if key == "" {
		key, lookup, lookupGroup = strconv.FormatUint(uint64(a.ID), 10), osuser.LookupId, osuser.LookupGroupId
	}
	var number string
	if a.Kind == vfs.GroupAccount {
		g, err := lookupGroup(key)
		if err != nil {
			return a, noAccount(key)
		}
		a.Name, number = g.Name, g.Gid
	} else {
		u, err := lookup(key)
		if err != nil {
			return a, noAccount(key)
		}
		a.Name, number = u.Username, u.Uid
	}
	id, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return a, noAccount(key)
	}
	a.ID = uint32(id)
	return a, nil
}

func noAccount(of string) error {
	return &fs.PathError{Op: "account", Path: of, Err: fs.ErrNotExist}
}

// BootID identifies the running system until it boots again, or is empty if that is unknown. It includes the identifier of
// the installation, since containers share that of the boot.
func BootID() string {
	boot := sys.BootID()
	if boot != "" {
		boot += " " + sys.MachineID()
	}
	return boot
}

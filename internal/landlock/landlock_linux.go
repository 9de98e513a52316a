package landlock

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// minVersion is the first version of the Landlock ABI, in Linux 5.19, that can allow renames and links between
// directories.
const minVersion = 2

// A Ruleset is a set of rules about what the process may change, and where.
type Ruleset struct{ fd int }

// New returns a Ruleset that allows no change anywhere. It returns an error if the system does not support Landlock.
func New() (*Ruleset, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == unix.ENOSYS, errno == unix.EOPNOTSUPP:
		return nil, errors.New("this system has no Landlock, or it is switched off")
	case errno != 0:
		return nil, os.NewSyscallError("landlock_create_ruleset", errno)
	case version < minVersion:
		return nil, errors.New("by the Landlock of this system, nothing can be renamed between directories")
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: accessRights(AnyChange)}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return nil, os.NewSyscallError("landlock_create_ruleset", errno)
	}
	return &Ruleset{int(fd)}, nil
}

// Allow allows changes beneath the directory that fd refers to, by whatever path it is reached.
func (r *Ruleset) Allow(fd int, c Change) error {
	attr := unix.LandlockPathBeneathAttr{Allowed_access: accessRights(c), Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}

// Enforce makes the kernel permanently forbid all changes that are not allowed, for this process and its future
// children. Open files stay writable.
//
// The kernel restricts one thread at a time. Only the Go runtime can make a system call on all threads, and only
// without C code, which may have threads of its own: with cgo, the error matches [errors.ErrUnsupported]. A process
// without CAP_SYS_ADMIN first sets no_new_privs.
func (r *Ruleset) Enforce() error {
	err := r.restrict()
	if !errors.Is(err, unix.EPERM) {
		return err
	}
	_, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("prctl", errno)
	}
	return r.restrict()
}

func (r *Ruleset) restrict() error {
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// Close releases what Enforce no longer needs.
func (r *Ruleset) Close() { unix.Close(r.fd) }

// accessRights returns the kernel's access rights for c. [unix.LANDLOCK_ACCESS_FS_TRUNCATE] is not among them,
// because with it the kernel would also check each file that is opened for reading. Without it, truncate(2) is not
// forbidden, but opening a file for writing, and therefore ftruncate(2), is.
func accessRights(c Change) uint64 {
	var access uint64
	if c&LinkOut != 0 {
		// A file may be linked only into a directory that does not grant more rights than its own.
		access |= unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	}
	if c&Remove != 0 {
		access |= unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR
	}
	if c&create != 0 {
		access |= unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
			unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	}
	return access
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"psync/internal/vfs/faultfs"
)

// A faultyCall is a system call that can be made to fail: at which path, found by which
// arguments. An argument of -1 is none.
type faultyCall struct {
	name     string
	dir, arg int // the descriptor of a directory, and a path from there; without a path the descriptor of a file
}

var faultyCalls = map[int32]faultyCall{
	sysFstatat: {"stat", 0, 1}, unix.SYS_STATX: {"stat", 0, 1}, unix.SYS_FSTAT: {"fstat", 0, -1},
	unix.SYS_OPENAT: {"open", 0, 1}, unix.SYS_OPENAT2: {"open", 0, 1}, unix.SYS_READLINKAT: {"readlink", 0, 1},
	unix.SYS_GETDENTS64: {"readdir", 0, -1}, unix.SYS_READ: {"read", 0, -1}, unix.SYS_PREAD64: {"read", 0, -1},
	unix.SYS_WRITE: {"write", 0, -1}, unix.SYS_PWRITE64: {"write", 0, -1}, unix.SYS_COPY_FILE_RANGE: {"copy", 2, -1},
	unix.SYS_SENDFILE: {"copy", 0, -1}, unix.SYS_FTRUNCATE: {"truncate", 0, -1},
	unix.SYS_MKDIRAT: {"mkdir", 0, 1}, unix.SYS_MKNODAT: {"mknod", 0, 1}, unix.SYS_UNLINKAT: {"remove", 0, 1},
	unix.SYS_RENAMEAT: {"rename", 2, 3}, unix.SYS_RENAMEAT2: {"rename", 2, 3}, unix.SYS_LINKAT: {"link", 2, 3},
	unix.SYS_SYMLINKAT: {"symlink", 1, 2},
	unix.SYS_FCHMOD:    {"chmod", 0, -1}, unix.SYS_FCHMODAT: {"chmod", 0, 1}, unix.SYS_FCHMODAT2: {"chmod", 0, 1},
	unix.SYS_FCHOWN: {"chown", 0, -1}, unix.SYS_FCHOWNAT: {"chown", 0, 1}, unix.SYS_UTIMENSAT: {"utimens", 0, 1},
	unix.SYS_SETXATTR: {"setxattr", -1, 0}, unix.SYS_LSETXATTR: {"setxattr", -1, 0}, unix.SYS_FSETXATTR: {"setxattr", 0, -1},
	unix.SYS_GETXATTR: {"getxattr", -1, 0}, unix.SYS_LGETXATTR: {"getxattr", -1, 0}, unix.SYS_FGETXATTR: {"getxattr", 0, -1},
	unix.SYS_LISTXATTR: {"listxattr", -1, 0}, unix.SYS_LLISTXATTR: {"listxattr", -1, 0}, unix.SYS_FLISTXATTR: {"listxattr", 0, -1},
	unix.SYS_REMOVEXATTR: {"removexattr", -1, 0}, unix.SYS_LREMOVEXATTR: {"removexattr", -1, 0}, unix.SYS_FREMOVEXATTR: {"removexattr", 0, -1},
	unix.SYS_CLOSE: {"close", 0, -1},
}

func faultyFilter() []unix.SockFilter {
	calls := []uint32{unix.SYS_STATFS, unix.SYS_FSTATFS}
	for nr := range faultyCalls {
		calls = append(calls, uint32(nr))
	}
	return holdCalls(calls)
}

// faultyErrnos are the errors of failing calls. None of them means that a file does not exist or an operation
// is not supported.
var faultyErrnos = []unix.Errno{unix.EIO, unix.EACCES, unix.EPERM, unix.ESTALE, unix.ETIMEDOUT, unix.ENOMEM, unix.ENOSPC, unix.EDQUOT}

// lackingErrnos mean that a system or a volume does not support an operation.
var lackingErrnos = []unix.Errno{unix.EOPNOTSUPP, unix.EINVAL, unix.ENOSYS, unix.ENOTTY}

// mayLack are the calls that some volumes do not support.
var mayLack = []string{"copy", "link", "symlink", "mknod", "chmod", "chown", "utimens", "setxattr", "getxattr", "removexattr"}

// faulty runs a program of which some system calls fail that have to do with what is below DIR: by
// chance, or those that FAULTS say, as package faultfs reads them, where an op is one of faultyCalls. All of
// those must come. It lists what failed in FILE. With -far, the file systems seem to be those of a network. Its
// exit code is that of the program:
//
//	faulty -seed N -log FILE [-far] DIR PROGRAM [ARG...]
//	faulty -fault FAULTS [-log FILE] [-far] DIR PROGRAM [ARG...]
func faulty() {
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	seed := flags.Uint64("seed", 0, "")
	log := flags.String("log", os.DevNull, "")
	text := flags.String("fault", "", "")
	far := flags.Bool("far", false, "")
	_ = flags.Parse(os.Args[1:]) // which exits if that fails
	dir, err := filepath.EvalSymlinks(flags.Arg(0))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		die(err)
	}
	said, err := os.Create(*log)
	if err != nil {
		die(err)
	}
	fails := newChance(*seed).fails
	var stated *faultfs.Faults
	if *text != "" {
		if stated, err = faultfs.Parse(*text); err != nil {
			die(err)
		}
		fails = func(op, path string) unix.Errno {
			errno, _ := stated.Before(op, strings.TrimPrefix(path, dir+"/")).(unix.Errno)
			return errno
		}
	}
	h, err := startHeld(append([]string{"-all"}, flags.Args()[1:]...))
	if err != nil {
		die(err)
	}
	h.patience = 60_000
	for {
		call, ok := h.call()
		if !ok {
			break
		}
		if call.nr == unix.SYS_STATFS || call.nr == unix.SYS_FSTATFS {
			if *far {
				h.statfsFar(call)
			}
			continue
		}
		path, err := h.path(call)
		if err != nil || path != dir && !strings.HasPrefix(path, dir+"/") {
			continue
		}
		if errno := fails(faultyCalls[call.nr].name, path); errno != 0 {
			fmt.Fprintf(said, "%s %q: %v\n", faultyCalls[call.nr].name, strings.TrimPrefix(path, dir+"/"), errno)
			h.reply(heldReply{errno: -int32(errno)})
		}
	}
	status, _ := h.wait(0)
	if stated != nil && stated.Pending() {
		die(errors.New("not all faults have come"))
	}
	if status.Signaled() {
		die(fmt.Errorf("signal %v", status.Signal()))
	}
	os.Exit(status.ExitStatus())
}

// path returns the path that a call is about.
func (h *held) path(call heldCall) (string, error) {
	c := faultyCalls[call.nr]
	path, fd := "", ""
	if c.arg >= 0 && call.args[c.arg] != 0 {
		var err error
		if path, err = readString(int(call.tid), uintptr(call.args[c.arg])); err != nil {
			return "", err
		}
	}
	proc := fmt.Sprintf("/proc/%d/", call.tid)
	switch rest, own := strings.CutPrefix(path, "/proc/self/fd/"); {
	case own:
		fd, path, _ = strings.Cut(rest, "/")
		fd = proc + "fd/" + fd
	case strings.HasPrefix(path, "/"):
		return filepath.Clean(path), nil
	case c.dir < 0 || int32(call.args[c.dir]) == unix.AT_FDCWD:
		fd = proc + "cwd"
	default:
		fd = fmt.Sprintf("%sfd/%d", proc, int32(call.args[c.dir]))
	}
	at, err := os.Readlink(fd)
	return filepath.Join(strings.TrimSuffix(at, " (deleted)"), path), err
}

// statfsFar answers statfs(2) like NFS.
func (h *held) statfsFar(call heldCall) {
	at := fmt.Sprintf("/proc/%d/fd/%d", call.tid, int32(call.args[0]))
	if call.nr == unix.SYS_STATFS {
		path, err := readString(int(call.tid), uintptr(call.args[0]))
		if err != nil {
			return
		}
		if at = path; !filepath.IsAbs(path) {
			at = fmt.Sprintf("/proc/%d/cwd/%s", call.tid, path)
		}
	}
	var st unix.Statfs_t
	if unix.Statfs(at, &st) != nil {
		return
	}
	st.Type = unix.NFS_SUPER_MAGIC
	local := []unix.Iovec{{Base: (*byte)(unsafe.Pointer(&st)), Len: uint64(unsafe.Sizeof(st))}}
	remote := []unix.RemoteIovec{{Base: uintptr(call.args[1]), Len: int(unsafe.Sizeof(st))}}
	if _, err := unix.ProcessVMWritev(int(call.tid), local, remote, 0); err != nil {
		die(errors.Join(errors.New("statfs"), err))
	}
	h.reply(heldReply{})
}

// A chance determines which calls fail: one, a few in a row, a share of all, all of a kind, perhaps because
// it is not supported, or all that involve a name.
type chance struct {
	*rand.Rand
	errno    unix.Errno
	seen     int
	from, to int // calls that fail, by number
	share    float64
	op, name string
}

func newChance(seed uint64) *chance {
	c := &chance{Rand: rand.New(rand.NewPCG(seed, 7))}
	c.errno = choose(c.Rand, faultyErrnos...)
	switch c.IntN(7) {
	case 0, 1:
		c.from = c.IntN(400)
		c.to = c.from + 1
	case 2:
		c.from = c.IntN(400)
		c.to = c.from + 1 + c.IntN(20)
	case 3:
		c.share = choose(c.Rand, 0.2, 0.05, 0.01)
	case 4:
		c.op = choose(c.Rand, "stat", "fstat", "open", "readlink", "readdir", "read", "write", "copy", "truncate", "mkdir", "mknod", "remove",
			"rename", "link", "symlink", "chmod", "chown", "utimens", "setxattr", "getxattr", "listxattr", "removexattr", "close")
		c.share = choose(c.Rand, 1, 0.3)
	case 5:
		c.errno, c.op, c.share = choose(c.Rand, lackingErrnos...), choose(c.Rand, mayLack...), 1
	case 6:
		c.name = choose(c.Rand, "a", "b", "c", "d", "dir", "sub", "e", "link", "new", "f", "src", "dst", "extra")
		c.share = choose(c.Rand, 1, 0.3)
	}
	return c
}

// fails returns the error of a call, or 0.
func (c *chance) fails(op, path string) unix.Errno {
	c.seen++
	switch {
	case c.to > 0:
		if c.seen < c.from || c.seen >= c.to {
			return 0
		}
	case c.op != "" && c.op != op, c.name != "" && c.name != filepath.Base(path), c.Float64() >= c.share:
		return 0
	}
	return c.errno
}

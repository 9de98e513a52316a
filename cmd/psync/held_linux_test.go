package main

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A held program stops before each system call that changes files or makes changes visible, until the test
// continues it; see seccomp_unotify(2). So a test can examine the effects call by call, however fast or slow
// the machine is.
type held struct {
	process
	pidfd, listener int
	pattern         string
	pending         map[uint32]bool // threads whose last call has to do with a name that matches, and may not have returned
	waiting         uint64          // the call to continue, by its id; 0 is none
	patience        int             // how long to wait for a call, in ms; -1 is for ever
}

// A heldCall is struct seccomp_notif.
type heldCall struct {
	id    uint64
	tid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

// A heldReply is struct seccomp_notif_resp.
type heldReply struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// startPaced starts a program that pauses at the calls after one that made or removed a name matching the
// pattern. If the kernel cannot hold programs, it pauses at random.
func startPaced(args []string, pattern string) paced {
	h, err := startHeld(args)
	if err != nil {
		return startPolled(h.process)
	}
	h.pattern = pattern
	return h
}

// startHeld starts a program that is held. If the kernel cannot hold it, it runs without pauses.
func startHeld(args []string) (*held, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		die(err)
	}
	theirs := os.NewFile(uintptr(ends[1]), "socket")
	cmd := command(append([]string{"held"}, args...))
	cmd.ExtraFiles = []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		die(err)
	}
	theirs.Close()
	h := &held{process: process(cmd.Process.Pid), pending: make(map[uint32]bool), patience: -1}
	if h.listener, err = receiveListener(ends[0]); err != nil {
		return h, err
	}
	if h.pidfd, err = unix.PidfdOpen(int(h.process), 0); err != nil {
		die(err)
	}
	return h, nil
}

// next lets the program run until a matching name may have appeared or disappeared. It returns false when the
// program has ended.
func (h *held) next() bool {
	for {
		call, ok := h.call()
		if !ok {
			return false
		}
		look := len(h.pending) > 0
		delete(h.pending, call.tid)
		if h.concerns(call) {
			h.pending[call.tid] = true
		}
		if look {
			return true
		}
	}
}

// step lets the program run until its next call.
func (h *held) step() bool {
	_, ok := h.call()
	return ok
}

// release lets all further calls through.
func (h *held) release() {
	h.signal(unix.SIGCONT)
	go func() {
		for h.step() {
		}
	}()
}

// call continues the call that waits, and returns the next one.
func (h *held) call() (heldCall, bool) {
	h.reply(heldReply{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE})
	for {
		fds := []unix.PollFd{{Fd: int32(h.listener), Events: unix.POLLIN}, {Fd: int32(h.pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, h.patience)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			die(err)
		case n == 0:
			h.signal(unix.SIGKILL)
			die(errors.New("the program hangs"))
		}
		if fds[0].Revents&unix.POLLIN == 0 {
			return heldCall{}, false
		}
		var call heldCall
		err = ioctl(h.listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&call))
		if err == nil {
			h.waiting = call.id
			return call, true
		}
		if err != unix.ENOENT && err != unix.EINTR {
			die(err)
		}
	}
}

// reply answers the waiting call, if there is one.
func (h *held) reply(r heldReply) {
	if h.waiting == 0 {
		return
	}
	r.id, h.waiting = h.waiting, 0
	// A call that was interrupted by a signal is repeated.
	if err := ioctl(h.listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r)); err != nil && err != unix.ENOENT {
		die(err)
	}
}

// heldNames are the calls that make or remove names, with the arguments that are paths.
var heldNames = map[int32][]int{
	unix.SYS_OPENAT:    {1},
	unix.SYS_OPENAT2:   {1},
	unix.SYS_MKDIRAT:   {1},
	unix.SYS_MKNODAT:   {1},
	unix.SYS_UNLINKAT:  {1},
	unix.SYS_RENAMEAT:  {1, 3},
	unix.SYS_RENAMEAT2: {1, 3},
	unix.SYS_LINKAT:    {3},
	unix.SYS_SYMLINKAT: {2},
}

// heldOthers are further calls that change files, or by which others notice a change.
var heldOthers = []uint32{
	unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE,
	unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN,
	unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_FSYNC, unix.SYS_SYNCFS,
}

// concerns reports whether a call makes or removes a name that matches.
func (h *held) concerns(call heldCall) bool {
	for _, arg := range heldNames[call.nr] {
		if path, err := readString(int(call.tid), uintptr(call.args[arg])); err != nil || nameMatches(h.pattern, path) {
			return true
		}
	}
	return false
}

// readString reads a string that ends in a zero from another process.
func readString(pid int, at uintptr) (string, error) {
	var path []byte
	for page := uintptr(os.Getpagesize()); ; {
		part := make([]byte, page-at%page)
		n, err := unix.ProcessVMReadv(pid, []unix.Iovec{{Base: &part[0], Len: uint64(len(part))}}, []unix.RemoteIovec{{Base: at, Len: len(part)}}, 0)
		if err != nil {
			return "", err
		}
		for i, c := range part[:n] {
			if c == 0 {
				return string(append(path, part[:i]...)), nil
			}
		}
		path, at = append(path, part[:n]...), at+uintptr(n)
	}
}

// hold becomes a held program, and passes the descriptor that controls it to the other end of descriptor 3:
//
//	held [-all] PROGRAM [ARG...]
//
// With -all, it is held at the calls that look at files, too.
func hold() {
	args, filter := os.Args[1:], heldFilter
	if args[0] == "-all" {
		args, filter = args[1:], faultyFilter
	}
	const socket = 3
	unix.CloseOnExec(socket)
	runtime.LockOSThread() // the filter is that of a thread, and of what it executes
	var rights []byte
	if listener, err := installFilter(filter()); err == nil {
		rights = unix.UnixRights(listener)
	}
	if err := unix.Sendmsg(socket, []byte{0}, rights, nil, 0); err != nil {
		die(err)
	}
	become(args)
}

// receiveListener receives what hold sends.
func receiveListener(socket int) (int, error) {
	defer unix.Close(socket)
	data, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, data, rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) == 0 {
		return -1, errors.Join(err, errors.ErrUnsupported)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return -1, err
	}
	return fds[0], nil
}

// installFilter installs the filter that holds the calls of this thread.
func installFilter(filter []unix.SockFilter) (int, error) {
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	install := func() (int, error) {
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
		if errno != 0 {
			return -1, errno
		}
		return int(fd), nil
	}
	fd, err := install()
	if err == unix.EACCES { // an ordinary user must do without programs that change the user
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return -1, err
		}
		fd, err = install()
	}
	return fd, err
}

// heldFilter is the program for the kernel that finds the calls to hold. Of openat(2) it
// takes those that may make a file, of ioctl(2) those that copy one. The offsets are those of struct
// seccomp_data, on a machine whose integers have their lowest byte first.
func heldFilter() []unix.SockFilter {
	const (
		load     = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		isEqual  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		hasBits  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		result   = unix.BPF_RET | unix.BPF_K
		number   = 0
		argument = 16
	)
	creates := uint32(unix.O_CREAT | unix.O_TRUNC | unix.O_TMPFILE&^unix.O_DIRECTORY)
	wait := unix.SockFilter{Code: result, K: unix.SECCOMP_RET_USER_NOTIF}
	pass := unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ALLOW}
	filter := []unix.SockFilter{
		{Code: load, K: number},
		{Code: isEqual, K: unix.SYS_OPENAT, Jf: 4},
		{Code: load, K: argument + 2*8},
		{Code: hasBits, K: creates, Jf: 1},
		wait,
		pass,
		{Code: isEqual, K: unix.SYS_IOCTL, Jf: 5},
		{Code: load, K: argument + 1*8},
		{Code: isEqual, K: unix.FICLONE, Jt: 1},
		{Code: isEqual, K: unix.FICLONERANGE, Jf: 1},
		wait,
		pass,
	}
	calls := heldOthers
	for nr := range heldNames {
		if nr != unix.SYS_OPENAT {
			calls = append(calls, uint32(nr))
		}
	}
	return append(filter, holdCalls(calls)...)
}

// holdCalls is a program that finds calls by their numbers alone.
func holdCalls(calls []uint32) (filter []unix.SockFilter) {
	filter = append(filter, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS})
	for _, nr := range calls {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: nr, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	return append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}

func ioctl(fd int, request uint, arg unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}

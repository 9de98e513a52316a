package localfs

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refuse is the environment variable by which a test process refuses itself the
// calls for attributes relative to a directory. Its value is the number of the error.
const refuse = "PSYNC_TEST_REFUSE_XATTRAT"

func init() {
	if errno, err := strconv.Atoi(os.Getenv(refuse)); err == nil {
		if err := refuseXattrat(unix.Errno(errno)); err != nil {
			fmt.Println("no filter:", err)
			os.Exit(0)
		}
	}
}

// refuseXattrat makes the calls fail in all threads, as they do on kernels before
// 6.13, and in containers whose filters do not know them.
func refuseXattrat(errno unix.Errno) error {
	const load, atLeast, above, ret = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS,
		unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	program := []unix.SockFilter{
		{Code: load, K: 0}, // the number of the call
		{Code: atLeast, Jf: 2, K: unix.SYS_SETXATTRAT},
		{Code: above, Jt: 1, K: unix.SYS_REMOVEXATTRAT},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(errno)},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	if e != 0 {
		return e
	}
	if _, _, e := unix.Syscall6(unix.SYS_LISTXATTRAT, 0, 0, 0, 0, 0, 0); e != errno {
		return e
	}
	return nil
}

// TestXattrsWhereCallsAreRefused runs the tests about attributes again in processes
// that have to go through /proc.
func TestXattrsWhereCallsAreRefused(t *testing.T) {
	for _, errno := range []unix.Errno{unix.ENOSYS, unix.EPERM, unix.EACCES} {
		t.Run(errno.Error(), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^(TestConformance|.*(ACLs|Attributes|Capabilities|Searched).*)$/(ttribute|Node|a value|missing name)")
			cmd.Env = append(os.Environ(), refuse+"="+strconv.Itoa(int(errno)))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

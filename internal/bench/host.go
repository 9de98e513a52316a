package bench

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// room returns the free bytes below dir.
func room(dir string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, &fs.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// maxRSS returns the peak resident set of a process that has ended, in bytes.
func maxRSS(p *os.ProcessState) int64 {
	used, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(used.Maxrss) * maxRSSUnit
}

// killWithChildren gives cmd a process group of its own, which is killed when the context of cmd ends: a
// remaining child would continue to write.
func killWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

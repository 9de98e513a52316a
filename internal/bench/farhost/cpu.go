package farhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// CPU waits until all sessions of the server have ended, and returns their processor time. It returns 0 on
// systems without Linux's proc(5).
func (h *Host) CPU(ctx context.Context) (time.Duration, error) {
	pid := h.server.Process.Pid
	for {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		if len(bytes.TrimSpace(children)) == 0 {
			break
		}
		if pause(ctx, time.Millisecond); ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// proc_pid_stat(5): the fields after the name, which is in parentheses, begin with the third; cutime and cstime
	// are the 16th and 17th, in clock ticks of which Linux reports a hundred a second.
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, field := range fields[16-3 : 17-3+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100, nil
}

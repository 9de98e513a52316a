package sys

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestStartOf(t *testing.T) {
	const fields = " S 1 42 42 0 -1 4194560 100 0 0 0 0 0 0 0 20 0 1 0 987654 1000 10"
	tests := []struct {
		stat string
		want uint64
		ok   bool
	}{
		{"42 (psync)" + fields, 987654, true},
		{"42 (a ) S 1 (b)" + fields, 987654, true},
		{"42 (psync) S 1", 0, false},
		{"", 0, false},
	}
	for _, tt := range tests {
		if got, ok := startOf([]byte(tt.stat)); got != tt.want || ok != tt.ok {
			t.Errorf("startOf(%q) = %d, %v, want %d, %v", tt.stat, got, ok, tt.want, tt.ok)
		}
	}
}

func TestBootIsInThePast(t *testing.T) {
	if b := BootTime(); b.IsZero() || !b.Before(time.Now()) {
		t.Errorf("booted at %v", b)
	}
	if BootID() == "" {
		if _, err := os.Stat("/proc/sys/kernel/random/boot_id"); err == nil {
			t.Error("this boot has no identity")
		}
	}
}

// TestZombieDoesNotRun has a process end whose status is not asked for.
func TestZombieDoesNotRun(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = cmd.Wait() }()
	pid := cmd.Process.Pid
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	start, _ := ProcessStart(pid)
	if ProcessRuns(pid, start) {
		t.Error("a process that has ended runs")
	}
}

package sys

import (
	"os"
	"os/exec"
	"testing"
)

func TestProcessRuns(t *testing.T) {
	pid := os.Getpid()
	start, known := ProcessStart(pid)
	if !ProcessRuns(pid, start) || !ProcessRuns(pid, 0) {
		t.Error("this process does not run")
	}
	if known && ProcessRuns(pid, start+1) {
		t.Error("a process that was started at another time is taken for this one")
	}
	if ProcessRuns(1<<30-1, 0) { // above the largest number of any system
		t.Error("a process of an impossible number runs")
	}
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Skip(err)
	}
	if ProcessRuns(cmd.Process.Pid, 1) {
		t.Error("a process that has ended runs")
	}
}

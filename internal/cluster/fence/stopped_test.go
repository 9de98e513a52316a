package fence

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// The environment of a child has the file that it changes until it is killed, and how long its lease lasts.
const (
	fileVar  = "FENCE_TEST_FILE"
	leaseVar = "FENCE_TEST_LEASE"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(fileVar); name != "" {
		fmt.Fprintln(os.Stderr, work(name, os.Getenv(leaseVar)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// work takes a lease, changes a file, prints when the lease ends the process, and changes the file until then.
func work(name, lease string) error {
	lasts, err := time.ParseDuration(lease)
	if err != nil {
		return err
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	f, err := New()
	if err != nil {
		return err
	}
	l, err := f.Begin(Now(), lasts)
	if err != nil {
		return err
	}
	fmt.Println(l.until.UnixNano())
	for i := 0; ; i++ {
		if _, err := file.WriteAt([]byte(strconv.Itoa(i)), 0); err != nil {
			return err
		}
	}
}

// A child is this program as [work].
type child struct {
	*exec.Cmd
	file  string
	until time.Time // when it must be gone
}

// startChild starts a child, by a command before it.
func startChild(t *testing.T, lease time.Duration, before ...string) child {
	t.Helper()
	f, err := New()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOSYS) {
		t.Skip(err)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(before, program)
	c := child{exec.Command(args[0], args[1:]...), filepath.Join(t.TempDir(), "f"), time.Time{}}
	c.Env = append(os.Environ(), fileVar+"="+c.file, leaseVar+"="+lease.String())
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	var until int64
	if _, err := fmt.Sscan(line, &until); err != nil {
		t.Skipf("the child printed %q: %v", line, c.Wait())
	}
	c.until = time.Unix(0, until)
	return c
}

// wait waits until a child has stopped, or has ended.
func (c child) wait(t *testing.T, options int) syscall.WaitStatus {
	t.Helper()
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(c.Process.Pid, &status, options, nil)
		if err == nil {
			return status
		}
		if err != syscall.EINTR {
			t.Fatal(err)
		}
	}
}

func (c child) contents(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(c.file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStoppedProcessDoesNotGoOn stops a process for longer than its lease lasts.
func TestStoppedProcessDoesNotGoOn(t *testing.T) {
	for lease := time.Second; ; lease *= 2 {
		c := startChild(t, lease)
		if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if c.wait(t, syscall.WUNTRACED).Signaled() && lease < time.Minute {
			continue // the machine is so slow that the child was killed before it was stopped
		}
		was := c.contents(t)
		status := c.wait(t, 0)
		if status.Signal() != syscall.SIGKILL || Now().Before(c.until) {
			t.Errorf("it has ended with %v, %v after its time", status, Now().Sub(c.until))
		}
		if is := c.contents(t); is != was {
			t.Errorf("it has changed %q to %q", was, is)
		}
		return
	}
}

// TestWorkingProcessEnds has a process that works on without renewing its lease.
func TestWorkingProcessEnds(t *testing.T) {
	c := startChild(t, 100*time.Millisecond)
	if status := c.wait(t, 0); status.Signal() != syscall.SIGKILL || Now().Before(c.until) {
		t.Errorf("it has ended with %v, %v after its time", status, Now().Sub(c.until))
	}
}

// TestFenceInTimeNamespace has a process whose clock since boot is a day ahead of that of the host. The clock of the system
// itself cannot be set, see package killtimer.
func TestFenceInTimeNamespace(t *testing.T) {
	unshare := []string{"unshare", "--time", "--boottime", "86400"}
	if err := exec.Command(unshare[0], append(unshare[1:], "true")...).Run(); err != nil {
		t.Skipf("no time namespace: %v", err)
	}
	c := startChild(t, 100*time.Millisecond, unshare...)
	status := c.wait(t, 0)
	if ahead := c.until.Sub(Now()); ahead < 23*time.Hour || ahead > 25*time.Hour {
		t.Errorf("the clock of the child is %v ahead", ahead)
	}
	if status.Signal() != syscall.SIGKILL {
		t.Errorf("it has ended with %v", status)
	}
}

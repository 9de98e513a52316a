package supervisor

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"psync/internal/cluster/fence"
)

// The environment of a supervisor that a test starts has what its children do: a word for each, the last one for all others.
// They append a line to a file when they start.
const (
	doVar   = "SUPERVISOR_TEST_DO"
	fileVar = "SUPERVISOR_TEST_FILE"
)

const statusOfJob = 42 // if the job is over

func TestMain(m *testing.M) {
	do := strings.Fields(os.Getenv(doVar))
	switch {
	case len(do) == 0:
		os.Exit(m.Run())
	case Child() > 0:
		os.Exit(work(do))
	}
	status, err := Run(func(ctx context.Context) (int, bool) {
		if do[0] == "unreachable" {
			fmt.Println("ready")
			<-ctx.Done()
		}
		return statusOfJob, do[0] == "over"
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 99
	}
	os.Exit(status)
}

func work(do []string) int {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	signal.Reset(syscall.SIGURG) // the runtime's
	group, _ := syscall.Getpgid(0)
	_, marked := os.LookupEnv(workerVar)
	start := fmt.Sprintf("%s %d %v\n", strings.Join(os.Args[1:], ","), group, marked)
	file, err := os.OpenFile(os.Getenv(fileVar), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
	if err == nil {
		_, err = file.WriteString(start)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 98
	}
	text, _ := os.ReadFile(file.Name())
	n := min(strings.Count(string(text), "\n"), len(do)) - 1
	switch word := do[n]; word {
	case "killed", "over", "unreachable":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "stopped": // for longer than its lease
		f, err := fence.New()
		if err == nil {
			_, err = f.Begin(fence.Now(), 100*time.Millisecond)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 96
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {}
	case "terminated":
		signal.Reset()
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		select {}
	case "signals", "signals-killed":
		fmt.Println("ready", os.Getpid())
		for s := range signals {
			fmt.Println(s)
			if s == syscall.SIGUSR1 {
				continue
			}
			if word == "signals-killed" {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
			return 5
		}
		return 97
	default:
		status, _ := strconv.Atoi(word)
		return status
	}
}

// A supervised is a supervisor, with what its children print.
type supervised struct {
	*exec.Cmd
	out  *bufio.Reader
	file string
}

func start(t *testing.T, do string) supervised {
	t.Helper()
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		t.Skip(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := supervised{Cmd: exec.Command(program, "a", "b"), file: filepath.Join(t.TempDir(), "starts")}
	s.Env = append(os.Environ(), doVar+"="+do, fileVar+"="+s.file)
	s.Stderr = os.Stderr
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// end waits for the end of a supervisor, and checks its exit status and how many children it has started.
func (s supervised) end(t *testing.T, status, starts int) {
	t.Helper()
	rest, _ := io.ReadAll(s.out)
	_ = s.Wait()
	if got := s.ProcessState.ExitCode(); got != status {
		t.Errorf("exit status %d, want %d; the children print %q", got, status, rest)
	}
	text, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat(fmt.Sprintf("a,b %d false\n", s.Process.Pid), starts) // the same arguments, in the same group
	if string(text) != want {
		t.Errorf("children start as %q, want %q", text, want)
	}
}

func (s supervised) want(t *testing.T, line string) string {
	t.Helper()
	got, err := s.out.ReadString('\n')
	rest, found := strings.CutPrefix(strings.TrimSpace(got), line)
	if err != nil || !found {
		t.Fatalf("the child prints %q, want %q: %v", got, line, err)
	}
	return strings.TrimSpace(rest)
}

func TestChildrenAreStartedAgain(t *testing.T) {
	for _, tt := range []struct {
		do     string
		status int
		starts int
	}{
		{"0", 0, 1},
		{"7", 7, 1},
		{"killed killed 3", 3, 3},
		{"killed", 137, mostAtOnce},
		{"terminated", 143, 1},
		{"stopped 3", 3, 2},
		{"over", statusOfJob, 1},
	} {
		t.Run(tt.do, func(t *testing.T) { start(t, tt.do).end(t, tt.status, tt.starts) })
	}
}

func TestSignalsArePassedOn(t *testing.T) {
	s := start(t, "signals")
	s.want(t, "ready")
	for _, n := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGTERM} {
		if err := s.Process.Signal(n); err != nil {
			t.Fatal(err)
		}
		s.want(t, n.String())
	}
	s.end(t, 5, 1)
}

// TestInterruptReachesBoth sends an interrupt to the process group, as a terminal does.
func TestInterruptReachesBoth(t *testing.T) {
	s := start(t, "signals")
	s.want(t, "ready")
	if err := syscall.Kill(-s.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.want(t, "interrupt")
	s.end(t, 5, 1)
}

// TestNothingIsStartedAfterAnInterrupt has a child that is killed while it ends.
func TestNothingIsStartedAfterAnInterrupt(t *testing.T) {
	s := start(t, "signals-killed 0")
	s.want(t, "ready")
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.want(t, "terminated")
	s.end(t, 137, 1)
}

// TestInterruptWhileTheJobIsAskedFor has a queue that does not answer.
func TestInterruptWhileTheJobIsAskedFor(t *testing.T) {
	s := start(t, "unreachable")
	s.want(t, "ready")
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.end(t, 137, 1)
}

// TestChildDiesWithItsParent kills the supervisor, and waits until the child has closed its output.
func TestChildDiesWithItsParent(t *testing.T) {
	s := start(t, "signals")
	s.want(t, "ready")
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		t.Errorf("the child prints %q, %v", rest, err)
	}
	_ = s.Wait()
}

// TestAgain covers children that live long, which no test waits for.
func TestAgain(t *testing.T) {
	killed := syscall.WaitStatus(syscall.SIGKILL)
	var h history
	for i := range 10 * mostAtOnce {
		lived := time.Duration(0)
		if i%(mostAtOnce-1) == 0 {
			lived = atOnce
		}
		if !h.again(killed, lived) {
			t.Fatalf("no child is started after %d of them", i)
		}
	}
}

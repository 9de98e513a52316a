package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"psync/internal/testtmp"
)

// mainVar has a process of the tests be psync-cluster.
const mainVar = "PSYNC_CLUSTER_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVar) != "" {
		main()
	}
	// Most of the time, tests wait for processes, and these for the limit of their rate.
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(testtmp.Run(m))
}

// shortLease is how long leases last in tests. Those of processes that are killed have to lapse.
const shortLease = 3 * time.Second

// A process is psync-cluster with some arguments.
type process struct {
	t    *testing.T
	args []string
	cmd  *exec.Cmd

	ended chan struct{} // closed when it has ended, and its output is complete

	mu     sync.Mutex // guards what follows
	lines  int        // of standard output
	passed sync.Cond  // signalled when there are more, or it has ended
	over   bool
	stdout bytes.Buffer
	stderr bytes.Buffer
}

// start starts a process, which is killed when the test ends.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, args: args, ended: make(chan struct{})}
	p.passed.L = &p.mu
	p.cmd = exec.Command("/proc/self/exe", args...)
	p.cmd.Env = append(os.Environ(), mainVar+"=1", "PSYNC_QUEUE_LEASE="+shortLease.String())
	out, outWriter, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, errWriter, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = outWriter, errWriter
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = outWriter.Close(), errWriter.Close()
	var streams sync.WaitGroup
	streams.Go(func() { p.read(out, &p.stdout, true) })
	streams.Go(func() { p.read(errs, &p.stderr, false) })
	go func() {
		streams.Wait() // children have the pipes, too
		_ = p.cmd.Wait()
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		p.passed.Broadcast()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *process) read(from io.ReadCloser, into *bytes.Buffer, counts bool) {
	defer from.Close()
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadString('\n')
		p.mu.Lock()
		into.WriteString(line)
		if counts {
			p.lines++
		}
		p.mu.Unlock()
		p.passed.Broadcast()
		if err != nil {
			return
		}
	}
}

// awaitLines waits until a process has printed n lines, or has ended.
func (p *process) awaitLines(n int) {
	p.await(func() bool { return p.lines >= n })
}

// awaitStderr waits until a process has printed a text to standard error, or has ended.
func (p *process) awaitStderr(text string) {
	p.await(func() bool { return strings.Contains(p.stderr.String(), text) })
}

func (p *process) await(condition func() bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.over && !condition() {
		p.passed.Wait()
	}
}

// exit waits for the end of a process, and returns its exit status, or -1 after a signal.
func (p *process) exit() int {
	<-p.ended
	return p.cmd.ProcessState.ExitCode()
}

// want fails the test unless a process ends with an exit status.
func (p *process) want(status int) {
	p.t.Helper()
	if got := p.exit(); got != status {
		p.t.Errorf("%s: exit status %d, want %d; %s", strings.Join(p.args, " "), got, status, p.said())
	}
}

// said returns what a process has printed to standard error.
func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stdout.String()
}

func (p *process) signal(s os.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
}

// kill kills a process, and with it the child that works.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// worker returns the process that works for a supervisor, or 0.
func (p *process) worker() int {
	pid := strconv.Itoa(p.cmd.Process.Pid)
	tasks, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, name := range tasks {
		children, _ := os.ReadFile(name)
		if fields := strings.Fields(string(children)); len(fields) > 0 {
			child, _ := strconv.Atoi(fields[0])
			return child
		}
	}
	return 0
}

// killWorker sends a signal to the process that works.
func (p *process) signalWorker(s syscall.Signal) {
	if pid := p.worker(); pid > 0 {
		_ = syscall.Kill(pid, s)
	}
}

// A server is one of jobs.
type server struct {
	t    *testing.T
	dir  string
	addr string
	*process
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "jobs"), addr: "127.0.0.1:0"}
	s.start()
	return s
}

// start starts the server, the next time at the same address.
func (s *server) start() {
	s.t.Helper()
	s.process = start(s.t, "serve", s.dir, "--listen", s.addr)
	s.awaitLines(1)
	url := strings.TrimSpace(s.output())
	addr, ok := strings.CutPrefix(url, "nats://")
	if !ok {
		s.t.Fatalf("the server prints %q, and %s", url, s.said())
	}
	s.addr = addr
}

// queue returns the URL of a job.
func (s *server) queue(job string) string { return fmt.Sprintf("--queue=nats://%s/%s", s.addr, job) }

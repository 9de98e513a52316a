package main

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// signalWhen returns a program that sends a signal to another one, at a moment
// that [at] describes. Its exit code is that of the other, or 0 if that was killed
// as it should be:
//
//	interrupt [-fewer] [-n COUNT] DIR PATTERN PROGRAM [ARG...]
func signalWhen(sig syscall.Signal) func() {
	return func() {
		p, _ := at(0)
		p.signal(sig)
		status := p.resume()
		if status.Signaled() && status.Signal() == sig {
			os.Exit(0)
		}
		os.Exit(status.ExitStatus())
	}
}

// insist interrupts a program again and again until it ends, from a moment on that
// [at] describes. Its exit code is that of the program:
//
//	insist [-fewer] [-n COUNT] DIR PATTERN PROGRAM [ARG...]
func insist() {
	p, _ := at(0)
	p.signal(syscall.SIGCONT)
	for {
		p.signal(syscall.SIGINT)
		time.Sleep(10 * time.Millisecond) // for the program to end
		if status, ended := p.wait(syscall.WNOHANG); ended {
			os.Exit(status.ExitStatus())
		}
	}
}

// meanwhile runs a shell command while another program is stopped, at a moment
// that [at] describes. Its exit code is that of the program:
//
//	meanwhile [-fewer] [-n COUNT] DIR PATTERN COMMAND PROGRAM [ARG...]
func meanwhile() {
	p, args := at(1)
	if err := command([]string{"sh", "-c", args[0]}).Run(); err != nil {
		p.signal(syscall.SIGKILL)
		die(err)
	}
	os.Exit(p.resume().ExitStatus())
}

// at starts a program and stops it as soon as there are COUNT entries (1) below
// DIR whose names match PATTERN, or with -fewer, as soon as there are not. It returns the process, and n arguments that stand
// before the program. It looks only while the program is stopped, too, so that
// what it has found still holds.
func at(n int) (process, []string) {
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	count := flags.Int("n", 1, "")
	fewer := flags.Bool("fewer", false, "")
	flags.Parse(os.Args[1:])
	args := flags.Args()
	if len(args) < 3+n {
		die(errors.New("arguments are missing"))
	}
	dir, pattern, args := args[0], args[1], args[2:]

	cmd := command(args[n:])
	if err := cmd.Start(); err != nil {
		die(err)
	}
	p := process(cmd.Process.Pid)
	// Who looks must get his turn on a busy machine.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, 5)
	for deadline := time.Now().Add(time.Minute); ; {
		if !p.stop() {
			die(errors.New("the program ended too early"))
		}
		if matches(dir, pattern, *count) != *fewer {
			return p, args[:n]
		}
		if time.Now().After(deadline) {
			p.signal(syscall.SIGKILL)
			die(errors.New("what to wait for did not happen"))
		}
		p.signal(syscall.SIGCONT)
		time.Sleep(200 * time.Microsecond) // for the program to get on
	}
}

// matches reports whether at least count entries below dir have matching names.
func matches(dir, pattern string, count int) bool {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return nil // nothing is there yet
		}
		if ok, err := filepath.Match(pattern, e.Name()); !ok || err != nil {
			return err
		}
		if count--; count == 0 {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		die(err)
	}
	return count == 0
}

// A process is a child of this one, by its number.
type process int

// stop suspends the process, and reports false if it has ended instead.
func (p process) stop() bool {
	for {
		// Again and again, because a thread that calls execve(2) can make the others forget it.
		p.signal(syscall.SIGSTOP)
		for range 20 {
			if status, news := p.wait(syscall.WUNTRACED | syscall.WNOHANG); news {
				return status.Stopped()
			}
			time.Sleep(50 * time.Microsecond)
		}
	}
}

// resume lets the process go on to its end.
func (p process) resume() syscall.WaitStatus {
	p.signal(syscall.SIGCONT)
	status, _ := p.wait(0)
	return status
}

func (p process) signal(sig syscall.Signal) {
	if err := syscall.Kill(int(p), sig); err != nil {
		die(err)
	}
}

// wait is wait4(2). It reports false if there is nothing new, with WNOHANG.
func (p process) wait(options int) (status syscall.WaitStatus, news bool) {
	for {
		pid, err := syscall.Wait4(int(p), &status, options, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			die(err)
		}
		return status, pid != 0
	}
}

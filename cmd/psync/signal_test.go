package main

import (
	"errors"
	"flag"
	"fmt"
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
//	interrupt [-fewer] [-n COUNT] [-after CALLS] DIR PATTERN PROGRAM [ARG...]
func signalWhen(sig syscall.Signal) func() {
	return func() {
		p, _ := at(0)
		p.signal(sig)
		goOnSlowly(p)
		status := resume(p)
		if status.Signaled() && status.Signal() == sig {
			os.Exit(0)
		}
		os.Exit(status.ExitStatus())
	}
}

// insist interrupts a program again and again until it ends, from a moment on that
// [at] describes. Its exit code is that of the program:
//
//	insist [-fewer] [-n COUNT] [-after CALLS] DIR PATTERN PROGRAM [ARG...]
func insist() {
	p, _ := at(0)
	p.release()
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
//	meanwhile [-fewer] [-n COUNT] [-after CALLS] DIR PATTERN COMMAND PROGRAM [ARG...]
func meanwhile() {
	p, args := at(1)
	if err := command([]string{"sh", "-c", args[0]}).Run(); err != nil {
		p.signal(syscall.SIGKILL)
		die(err)
	}
	os.Exit(resume(p).ExitStatus())
}

// endedEarly is the exit code of a program that was to stop another one, which ended before.
const endedEarly = 98

// A paced program is a process that pauses now and then.
type paced interface {
	next() bool // goes on to the next moment to look at what the program has done; false if it has ended
	step() bool // goes on to the next system call at which it can pause; false if it has ended
	stop() bool // suspends all threads; false if it has ended
	release()   // lets the program go on without pauses
	signal(sig syscall.Signal)
	wait(options int) (status syscall.WaitStatus, news bool)
}

// at starts a program and stops it as soon as there are COUNT entries (1) below DIR
// whose names match PATTERN, or with -fewer, as soon as there are not, and CALLS (0)
// system calls after that which change files. It returns the process, and n arguments that stand before
// the program. It looks once more when the program is stopped, so that what it has found still holds.
func at(n int) (paced, []string) {
	flags := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	count := flags.Int("n", 1, "")
	fewer := flags.Bool("fewer", false, "")
	after := flags.Int("after", 0, "")
	_ = flags.Parse(os.Args[1:]) // which exits if that fails
	args := flags.Args()
	if len(args) < 3+n {
		die(errors.New("arguments are missing"))
	}
	dir, pattern, args := args[0], args[1], args[2:]
	found := func() bool { return matches(dir, pattern, *count) != *fewer }

	p := startPaced(args[n:], pattern)
	for p.next() {
		if !found() {
			continue
		}
		for range *after {
			if !p.step() {
				dieEarly()
			}
		}
		if !p.stop() {
			break
		}
		if *after > 0 || found() {
			return p, args[:n]
		}
		p.signal(syscall.SIGCONT)
	}
	dieEarly()
	return nil, nil
}

func dieEarly() {
	fmt.Fprintf(os.Stderr, "%s: the program ended too early\n", os.Args[0])
	os.Exit(endedEarly)
}

// goOnSlowly lets a program that was sent a signal go on, at first with a moment before each of its next
// calls: on a busy machine it may else be done before the goroutine runs that the signal is for.
func goOnSlowly(p paced) {
	p.signal(syscall.SIGCONT)
	for range 100 {
		if !p.step() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// resume lets a program go on to its end.
func resume(p paced) syscall.WaitStatus {
	p.release()
	status, _ := p.wait(0)
	return status
}

// matches reports whether at least count entries below dir have matching names.
func matches(dir, pattern string, count int) bool {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return nil // nothing is there yet
		}
		if !nameMatches(pattern, path) {
			return nil
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

// nameMatches reports whether the last name of a path matches a pattern.
func nameMatches(pattern, path string) bool {
	ok, err := filepath.Match(pattern, filepath.Base(path))
	if err != nil {
		die(err)
	}
	return ok
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

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// nobodyUID is the user that asuser changes to.
const nobodyUID = 65534

// asUser runs a program as an ordinary user, which is the one who runs the tests
// unless that is root:
//
//	asuser PROGRAM [ARG...]
func asUser() {
	if os.Geteuid() == 0 {
		err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobodyUID), syscall.Setuid(nobodyUID))
		if err != nil {
			die(err)
		}
	}
	become(os.Args[1:])
}

// withUmask runs a program under a umask:
//
//	umask OCTAL PROGRAM [ARG...]
func withUmask() {
	if len(os.Args) < 3 {
		die(errors.New("usage: umask OCTAL PROGRAM [ARG...]"))
	}
	mask, err := strconv.ParseUint(os.Args[1], 8, 9)
	if err != nil {
		die(err)
	}
	syscall.Umask(int(mask))
	become(os.Args[2:])
}

// withBrokenPipe runs a program whose standard output is a pipe without a reader:
//
//	brokenpipe PROGRAM [ARG...]
func withBrokenPipe() {
	r, w, err := os.Pipe()
	if err != nil {
		die(err)
	}
	r.Close()
	cmd := command(os.Args[1:])
	cmd.Stdout = w
	if err := cmd.Run(); cmd.ProcessState == nil {
		die(err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// withStuckPipe runs a program whose standard output is a pipe that is not read for now: once the pipe is
// full, writing blocks.
//
//	stuckpipe PROGRAM [ARG...]
func withStuckPipe() {
	var ends [2]int // the program inherits the end for reading, or else the pipe would be broken
	if err := errors.Join(unix.Pipe(ends[:]), unix.Dup2(ends[1], 1)); err != nil {
		die(err)
	}
	become(os.Args[1:])
}

// become replaces this process by a program.
func become(args []string) {
	cmd := command(args)
	if cmd.Err != nil {
		die(cmd.Err)
	}
	die(syscall.Exec(cmd.Path, cmd.Args, os.Environ()))
}

// command prepares a program with the standard streams of this process.
func command(args []string) *exec.Cmd {
	if len(args) == 0 {
		die(errors.New("which program?"))
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// die ends a program by an exit code that psync does not have.
func die(err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
	os.Exit(99)
}

package main

import (
	"errors"
	"syscall"
	"time"
)

// A polled program is stopped at random times, if there is no better way. The test does not see what happens
// in between.
type polled struct {
	process
	deadline time.Time
}

func startPolled(p process) *polled {
	// The test must get a turn on a busy machine.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, int(p), 5)
	return &polled{process: p, deadline: time.Now().Add(time.Minute)}
}

// next lets the program go on for a moment, and stops it.
func (p *polled) next() bool {
	if time.Now().After(p.deadline) {
		p.signal(syscall.SIGKILL)
		die(errors.New("what to wait for did not happen"))
	}
	p.signal(syscall.SIGCONT)
	time.Sleep(200 * time.Microsecond)
	return p.stop()
}

func (p *polled) step() bool { return p.next() }

func (p *polled) release() { p.signal(syscall.SIGCONT) }

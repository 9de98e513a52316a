package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/cli"
)

// cpGrace is how long an interrupted cp may take to tidy up. It may as well wait for a
// pipe, or a terminal, and nothing but the end of the process ends that.
const cpGrace = 250 * time.Millisecond

// interrupts are the signals by which a run is ended.
type interrupts struct {
	asCp  bool // and so is the process, as scripts expect it of cp
	first atomic.Value
}

// watch calls stop at the first signal, and ends the process at the second.
func (in *interrupts) watch(stop func()) {
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup does
			signal.Notify(signals, s)
		}
	}
	go func() {
		in.first.Store(<-signals)
		stop()
		if in.asCp {
			time.AfterFunc(cpGrace, func() { in.end(1) })
		}
		<-signals // somebody is in a hurry, or a mount hangs
		in.end(cli.ExitInterrupted)
	}()
}

// end ends the process, by the first signal if it is cp.
func (in *interrupts) end(code int) {
	if s, ok := in.first.Load().(syscall.Signal); ok && in.asCp {
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second) // it comes
	}
	os.Exit(code)
}

package program

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/cli"
	"psync/internal/ui/hang"
)

func TestInterrupts(t *testing.T) {
	type arrival struct {
		at time.Duration
		s  syscall.Signal
	}
	const (
		i, term, hup = syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP
		ms           = time.Millisecond
	)
	for _, c := range []struct {
		name    string
		signals []arrival
		ends    time.Duration // when the process is ended, whatever the run does
	}{
		{"one signal", []arrival{{0, i}}, hang.Grace},
		{"as timeout does", []arrival{{0, term}, {0, term}}, hang.Grace},
		{"as a slow timeout does", []arrival{{0, term}, {999 * ms, term}}, hang.Grace},
		{"again", []arrival{{0, i}, {1000 * ms, i}}, 1000 * ms},
		{"again and again", []arrival{{0, i}, {500 * ms, i}, {1400 * ms, i}}, 1400 * ms},
		{"another one", []arrival{{0, i}, {10 * ms, term}}, 10 * ms},
		{"hangup", []arrival{{0, hup}, {10 * ms, hup}, {2000 * ms, hup}}, 2000 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var stopped, ended time.Duration = -1, -1
				in := newInterrupts(false, func(code int) {
					ended = time.Since(start)
					if code != cli.ExitInterrupted {
						t.Errorf("exit code %d", code)
					}
				})
				signals := make(chan os.Signal, 2)
				go in.wait(signals, func() { stopped = time.Since(start) })
				for _, s := range c.signals {
					time.Sleep(s.at - time.Since(start))
					signals <- s.s
					synctest.Wait()
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if stopped != 0 || ended != c.ends {
					t.Errorf("stopped after %v, ended after %v, want 0 and %v", stopped, ended, c.ends)
				}
			})
		})
	}
}

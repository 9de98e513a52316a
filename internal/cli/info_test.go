package cli

import (
	"os"
	"syscall"
	"testing"
)

// TestInfoIsShownForEachSignal uses another signal, which every system has.
func TestInfoIsShownForEachSignal(t *testing.T) {
	shown := make(chan struct{})
	stop := onInfo([]os.Signal{syscall.SIGUSR1}, func() { shown <- struct{}{} })
	for range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		<-shown
	}
	stop()
}

func TestNoSignalAsksForInfo(t *testing.T) {
	onInfo(nil, func() { t.Error("asked") })()
}

package cli

import (
	"os"
	"syscall"
	"testing"
)

func TestEachSignalIsHandled(t *testing.T) {
	handled := make(chan struct{})
	stop := onSignals([]os.Signal{syscall.SIGUSR1}, func(os.Signal) { handled <- struct{}{} })
	for range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		<-handled
	}
	stop()
}

func TestNoSignalIsHandledForNone(t *testing.T) {
	onSignals(nil, func(os.Signal) { t.Error("handled") })()
}

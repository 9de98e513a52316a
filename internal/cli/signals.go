package cli

import (
	"os"
	"os/signal"
)

// onSignals calls handle with each of the signals that arrives, until stop is called. stop waits for a running
// call of handle.
func onSignals(signals []os.Signal, handle func(os.Signal)) (stop func()) {
	if len(signals) == 0 {
		return func() {}
	}
	arrived, done, ended := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(arrived, signals...)
	go func() {
		defer close(ended)
		for {
			select {
			case s := <-arrived:
				handle(s)
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(arrived)
		close(done)
		<-ended
	}
}

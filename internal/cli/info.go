package cli

import (
	"os"
	"os/signal"
)

// onInfo calls show for each of the signals that arrives, until stop is called. stop waits for a running call
// of show.
func onInfo(signals []os.Signal, show func()) (stop func()) {
	if len(signals) == 0 {
		return func() {}
	}
	arrived, done, ended := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(arrived, signals...)
	go func() {
		defer close(ended)
		for {
			select {
			case <-arrived:
				show()
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

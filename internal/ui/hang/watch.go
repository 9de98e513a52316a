package hang

import (
	"context"
	"fmt"
	"io"
	"time"
)

const (
	// hangAfter is the time after which an interrupted program reports what it waits for.
	hangAfter = time.Second

	// Grace is how long an interrupted program may take to end. A call to a server that does not answer may never
	// return; the program then ends the process.
	Grace = 10 * time.Second
)

// Watch reports on w what a program waits for, unless the program ends within hangAfter of its interrupt by
// ctx. It stops when the caller calls stop, as the caller must. inHand returns the paths that workers are busy
// with.
func Watch(ctx context.Context, w io.Writer, inHand func() []string) (stop func()) {
	ended, watched := make(chan struct{}), make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		defer close(watched)
		select {
		case <-time.After(hangAfter):
			fmt.Fprintf(w, "psync: interrupted, but %s\n", Describe(inHand()))
			fmt.Fprintf(w, "psync: hint: interrupt again to leave at once; psync leaves by itself in %d seconds; "+
				"what the system holds on to is freed by umount -f\n", (Grace-hangAfter)/time.Second)
		case <-ended:
		}
	})
	return func() {
		close(ended)
		if !unwatch() {
			<-watched
		}
	}
}

package hang

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestInterruptedProgramSaysWhatItWaitsFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes time.Duration // time from the interrupt to the end
		says  bool
	}{
		{"ends soon", hangAfter - 1, false},
		{"hangs", hangAfter + 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancel(t.Context())
				var said bytes.Buffer
				stop := Watch(ctx, &said, func() []string { return []string{"src/f"} })
				time.Sleep(time.Hour)
				synctest.Wait()
				if said.Len() > 0 {
					t.Errorf("before the interrupt: %s", &said)
				}
				interrupt()
				time.Sleep(c.takes)
				stop()
				if got := strings.Contains(said.String(), "at src/f\npsync: hint: interrupt again to leave at once; psync leaves by itself in 9 seconds; "); got != c.says {
					t.Errorf("said: %q", &said)
				}
			})
		})
	}
}

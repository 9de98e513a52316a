package retry

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestReconnectSaysWhy has attempts that are refused, and the last one hang.
func TestReconnectSaysWhy(t *testing.T) {
	for refused, want := range []string{"there was no answer within 10s", "refused 1", "refused 2"} {
		synctest.Test(t, func(t *testing.T) {
			dials := 0
			err := reconnect(t.Context(), 10*time.Second, func(ctx context.Context) (retryable bool, err error) {
				if dials++; dials <= refused {
					return true, fmt.Errorf("refused %d", dials)
				}
				<-ctx.Done()
				return true, ctx.Err()
			})
			if err == nil || err.Error() != want {
				t.Errorf("after %d: got %v, want %s", refused, err, want)
			}
		})
	}
}

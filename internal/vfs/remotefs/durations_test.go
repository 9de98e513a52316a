package remotefs

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestRequestsAreTimed counts each request that is answered.
func TestRequestsAreTimed(t *testing.T) {
	h := newScripted(t, func(wire.Message) []wire.Message { return nil })
	count := func() (n int64) {
		counts, _ := h.s.durations.Counts()
		for _, c := range counts {
			n += c
		}
		return n
	}
	before := count()
	const requests = 10
	for range requests {
		if _, err := h.Open("/", vfs.OpenOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	// The last one may be answered and not counted yet.
	if n := count() - before; n < requests-1 {
		t.Errorf("%d requests of %d were counted", n, requests)
	}
}

package remotefs

import (
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/wire"
)

// TestRequestsAreTimed counts each request that is answered.
func TestRequestsAreTimed(t *testing.T) {
	durations := new(report.Durations)
	h, err := dialScriptedWith(t, Options{Durations: durations}, func(wire.Message) []wire.Message { return nil })
	must(t, err)
	before := answered(durations)
	const requests = 10
	for range requests {
		if _, err := h.Open("/", vfs.OpenOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	// The last one may be answered and not counted yet.
	if n := answered(durations) - before; n < requests-1 {
		t.Errorf("%d requests of %d were counted", n, requests)
	}
}

package link

import (
	"math"
	"testing"
	"time"
)

// TestCompressingEndsEachTimeLater has a path that is slow whenever nothing is compressed, and fast while batches are:
// compressing ends for the first evaluation without a queue, and each time that it begins again for eight times as many.
func TestCompressingEndsEachTimeLater(t *testing.T) {
	p := path{least: math.MaxInt64}
	p.add(time.Millisecond, time.Millisecond, 1<<20, queued)
	for round, want := range []int{1, 9, 65, 513, 513, 513} {
		evaluations := 0
		for !p.off {
			if p.add(time.Millisecond, time.Millisecond, 1<<20, queued); p.measurements >= enough || p.off {
				evaluations++
			}
		}
		if evaluations != want {
			t.Errorf("round %d: compressing ended after %d evaluations, want %d", round, evaluations, want)
		}
		for p.off {
			p.add(time.Second, time.Millisecond, 1<<20, queued)
		}
	}
}

package fence

import (
	"testing"
	"time"
)

// A recorder is a timer that records when it was armed for.
type recorder struct{ at []time.Duration }

func (r *recorder) Close() error { return nil }

func (r *recorder) Arm(at time.Duration) error {
	r.at = append(r.at, at)
	return nil
}

// TestFirstLeaseCounts has leases of 80 s, which end the process 70 s after they were requested.
func TestFirstLeaseCounts(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	const lasts = 80 * time.Second
	var timer recorder
	f := &Fence{timer: &timer}
	var a, b *Lease
	begin := func(l **Lease, s int64) func() error {
		return func() (err error) { *l, err = f.Begin(at(s), lasts); return err }
	}
	for _, step := range []struct {
		what string
		do   func() error
		want time.Duration // what the timer is armed for
	}{
		{"a begins", begin(&a, 1000), 1070 * time.Second},
		{"b begins", begin(&b, 1010), 1070 * time.Second},
		{"a is renewed", func() error { return a.Renewed(at(1020)) }, 1080 * time.Second},
		{"b is renewed", func() error { return b.Renewed(at(1030)) }, 1090 * time.Second},
		{"what b stands for is older", func() error { return b.Renewed(at(1015)) }, 1085 * time.Second},
		{"b is renewed again", func() error { return b.Renewed(at(1030)) }, 1090 * time.Second},
		{"a ends", func() error { return a.End() }, 1100 * time.Second},
		{"a renewal of a is answered", func() error { return a.Renewed(at(1001)) }, 1100 * time.Second},
		{"b ends", func() error { return b.End() }, 0},
		{"b ends again", func() error { return b.End() }, 0},
		{"one that has lapsed begins", begin(&a, -1000), 1},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := timer.at[len(timer.at)-1]; got != step.want {
			t.Errorf("%s: the timer is armed for %v, want %v", step.what, got, step.want)
		}
	}
	if n := len(timer.at); n != 8 {
		t.Errorf("the timer was set %d times", n)
	}
}

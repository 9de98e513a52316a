package changed

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
)

func TestRacyFor(t *testing.T) {
	now := time.Date(2001, 1, 1, 0, 0, 0, 123456789, time.UTC)
	whole := now.Truncate(time.Second)
	const ms = time.Millisecond
	for _, tt := range []struct {
		name  string
		ctime time.Time
		size  int64
		far   bool
		open  bool // for writing
		want  time.Duration
	}{
		{"old", now.Add(-time.Hour), 1, false, false, 0},
		{"a tick ago", now.Add(-10 * ms), 1, false, false, 0},
		{"two ticks ago", now.Add(-20 * ms), 1, false, false, 0},
		{"just now", now, 0, false, false, 10 * ms},
		{"half a tick ago", now.Add(-5 * ms), 0, false, false, 5 * ms},
		{"open", now.Add(-100 * ms), 0, false, true, 150 * ms},
		{"open, large", now.Add(-100 * ms), 128 << 20, false, true, 650 * ms},
		{"open, huge", now, 1 << 50, false, true, time.Second},
		{"open, old", now.Add(-time.Second), 1 << 50, false, true, 0},
		{"by a clock a little ahead", now.Add(5 * ms), 0, false, false, 15 * ms},
		{"by a clock that was set back", now.Add(time.Hour), 0, false, false, 0},
		{"whole seconds", whole, 0, false, false, 2*time.Second - now.Sub(whole)},
		{"whole seconds, old", whole.Add(-2 * time.Second), 0, false, false, 0},

		{"far, old", now.Add(-time.Hour), 1, true, false, 0},
		{"far, a second ago", now.Add(-time.Second), 0, true, false, 10 * ms},
		{"far, just now", now, 0, true, false, 10 * ms},
		{"far, the server's clock is ahead", now.Add(time.Second), 0, true, false, 10 * ms},
		{"far, the server's clock is far ahead", now.Add(time.Hour), 0, true, false, 0},
		{"far, almost old", now.Add(-2005 * ms), 0, true, false, 5 * ms},
		{"far, whole seconds", whole, 0, true, false, 2 * time.Second},
		{"far, whole seconds, old", whole.Add(-4 * time.Second), 0, true, false, 0},
	} {
		if got := racyFor(vfs.Attr{Ctime: vfs.StampOf(tt.ctime), Size: tt.size}, now, tt.far, tt.open); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestAtRest checks that a file at rest is not racy, even while a program has it open for writing.
func TestAtRest(t *testing.T) {
	now := time.Date(2001, 1, 1, 0, 0, 0, 123456789, time.UTC)
	for _, size := range []int64{1, 64 << 10, 1 << 40} {
		a := vfs.Attr{Ctime: vfs.StampOf(now.Add(-AtRest(size, true))), Size: size}
		if got := racyFor(a, now, false, true); got != 0 {
			t.Errorf("a file of %d bytes is racy for another %v", size, got)
		}
	}
	if got := AtRest(1, false); got != coarseTick {
		t.Errorf("without fine times, a file is at rest after %v, want %v", got, coarseTick)
	}
	o := vfs.PlainOptions{ChangedBefore: vfs.StampOf(now.Add(-AtRest(1, true)))}
	for _, tt := range []struct {
		ctime time.Time
		want  bool
	}{
		{now, false},
		{now.Add(-100 * time.Millisecond), false},
		{now.Add(-300 * time.Millisecond), true},
		{now.Truncate(time.Second).Add(-time.Second), false},
		{now.Truncate(time.Second).Add(-3 * time.Second), true},
	} {
		if got := o.IsAtRest(vfs.StampOf(tt.ctime)); got != tt.want {
			t.Errorf("IsAtRest(%v ago) = %v, want %v", now.Sub(tt.ctime), got, tt.want)
		}
	}
}

// A ticking file is rewritten at some moments. Its times come from a clock that moves every 10 ms.
type ticking struct {
	vfs.File
	start   time.Time
	written []time.Duration // since start
}

func (ticking) HasWriter() bool { return false }

func (f ticking) Statx(vfs.StatxWant) (vfs.Attr, error) {
	a := vfs.Attr{Size: 1}
	for _, w := range f.written {
		if w <= time.Since(f.start) {
			a.Ctime = vfs.StampOf(f.start.Add(w).Truncate(clockTick).Add(1)) // not in whole seconds
		}
	}
	a.Mtime = a.Ctime.Time()
	return a, nil
}

func TestAwaitNotRacy(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name    string
		written []time.Duration
		age     time.Duration // of the file when it is opened
		least   time.Duration
		most    time.Duration // waited
	}{
		{"old", []time.Duration{0}, time.Hour, 0, 0},
		{"new", []time.Duration{0}, 0, 10 * ms, 11 * ms},
		{"written again within the tick", []time.Duration{0, 4 * ms}, 2 * ms, 8 * ms, 9 * ms},
		{"written again in the next tick", []time.Duration{5 * ms, 12 * ms}, 9 * ms, 1 * ms, 2 * ms},
		{"written all the time", []time.Duration{0, 8 * ms, 16 * ms, 24 * ms, 32 * ms, 40 * ms, 48 * ms}, 0, 10 * ms, 40 * ms},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := ticking{start: time.Now(), written: tt.written}
			time.Sleep(tt.age)
			opened := time.Now()
			a, _ := vfs.Stat(f)
			a, err := AwaitNotRacy(t.Context(), f, a, false)
			if waited := time.Since(opened); err != nil || waited < tt.least || waited > tt.most {
				t.Errorf("%s: %v, waited %v, want %v to %v", tt.name, err, waited, tt.least, tt.most)
			}
			for _, w := range tt.written {
				if at := f.start.Add(w); at.After(time.Now()) && vfs.StampOf(at.Truncate(clockTick).Add(1)) == a.Ctime {
					t.Errorf("%s: a write after %v will not show", tt.name, w)
				}
			}
		})
	}
}

func TestInterruptEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("interrupted by the test")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		f := ticking{start: time.Now(), written: []time.Duration{0}}
		a, _ := vfs.Stat(f)
		start := time.Now()
		if _, err := AwaitNotRacy(ctx, f, a, false); err != why || time.Since(start) > 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

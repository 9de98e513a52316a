package pace

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestClimberIsAsGoodAsTheBestFixedNumber wants, of 19 in 20 runs, nine tenths of what
// the best fixed number of workers gets done. A run of a second is allowed less
// where that number is far from 16: it needs a part of that second to get there.
func TestClimberIsAsGoodAsTheBestFixedNumber(t *testing.T) {
	type floors map[time.Duration]float64
	const second = time.Second
	usual := floors{second: 0.9, 20 * second: 0.9, 60 * second: 0.9}
	// The middle of a second leaves no time to find another number.
	changing := floors{20 * second: 0.9, 60 * second: 0.9}
	tests := []struct {
		name     string
		storages []storage
		want     floors
	}{
		{"local, 2 cores: 4 to 32", []storage{local2}, usual},
		{"fast SSD, 16 cores: 16 to 64", []storage{ssd16}, usual},
		{"spinning disk: 1 to 2", []storage{disk}, floors{second: 0.65, 20 * second: 0.9, 60 * second: 0.9}},
		{"NFS, 0.2 ms: 24", []storage{nfs02}, usual},
		{"NFS, 1 ms: 64", []storage{nfs1}, usual},
		{"NFS, 5 ms: 256", []storage{nfs5}, floors{second: 0.8, 20 * second: 0.9, 60 * second: 0.9}},
		{"server that falls: 32 to 64", []storage{overload}, floors{second: 0.8, 20 * second: 0.9, 60 * second: 0.9}},
		{"large files: from 2", []storage{bandwidth}, usual},

		{"disk, then SSD", []storage{disk, ssd16}, changing},
		{"SSD, then disk", []storage{ssd16, disk}, changing},
		{"NFS, small files, then large", []storage{nfs5, bandwidth}, changing},
		{"large files, then small on NFS", []storage{bandwidth, nfs1}, changing},
		{"local, then NFS", []storage{local2, nfs5}, changing},
		{"NFS, then local", []storage{nfs5, local2}, changing},
		{"NFS, then disk", []storage{nfs5, disk}, changing},
		{"NFS, then a server that falls", []storage{nfs1, overload}, changing},
		{"server that falls, then NFS", []storage{overload, nfs5}, changing},
	}
	noises := []struct{ noise, drift float64 }{{0.03, 0}, {0.2, 0}, {0.1, 0.3}}
	for _, tt := range tests {
		for length, want := range tt.want {
			for _, n := range noises {
				t.Run(fmt.Sprintf("%s/%v/noise %v, drift %v", tt.name, length, n.noise, n.drift), func(t *testing.T) {
					r := run{storages: tt.storages, length: length, noise: n.noise, drift: n.drift}
					mean, fifth, least := r.quality(100)
					t.Logf("mean %.2f, 5th percentile %.2f, least %.2f", mean, fifth, least)
					if fifth < want {
						t.Errorf("5th percentile %.2f of the best fixed number's, want %.2f", fifth, want)
					}
				})
			}
		}
	}
}

// TestClimberStaysWhereItIsGood wants a number that does not wander: it may have its
// contests with twice and half of what is best, which on most of these storages is a tie.
func TestClimberStaysWhereItIsGood(t *testing.T) {
	tests := []struct {
		name string
		f    storage
		want int
	}{
		{"local", local2, 16},
		{"large files", bandwidth, 16},
		{"NFS, 1 ms", nfs1, 64},
		{"NFS, 5 ms", nfs5, 256},
		{"server that falls", overload, 64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewClimber(16, 256)
			var last, there, since time.Duration
			r := run{storages: []storage{tt.f}, length: time.Minute, noise: 0.02, seen: func(now time.Duration, workers int) {
				if now > 5*time.Second {
					since += now - last
					if workers >= tt.want/2 && workers <= tt.want*2 {
						there += now - last
					}
				}
				last = now
			}}
			r.simulate(c, 1)
			if share := there.Seconds() / since.Seconds(); share < 0.9 {
				t.Errorf("%.0f %% of the time at about %d workers, want 90 %%", 100*share, tt.want)
			}
		})
	}
}

// TestClimberFallsBack has a storage on which the latency rises without any
// throughput, where the number is high and the rate stays what it was.
func TestClimberFallsBack(t *testing.T) {
	c := NewClimber(16, 256)
	high := 0
	r := run{storages: []storage{nfs5, bandwidth}, length: 2 * time.Minute, noise: 0.02, seen: func(now time.Duration, _ int) {
		if now < time.Minute {
			high = c.base
		}
	}}
	r.simulate(c, 1)
	if high != 256 || c.base > 32 {
		t.Errorf("%d workers before, %d in the end, want 256 and at most 32", high, c.base)
	}
}

// TestClimberIgnores gives samples that say nothing at the start of a run on
// which any other would move it.
func TestClimberIgnores(t *testing.T) {
	tests := []struct {
		name string
		s    Sample
		want bool // to stay
	}{
		{"a busy one is not ignored", Sample{time.Second, 1000, 16, 16}, false},
		{"nearly busy", Sample{time.Second, 1000, 13, 16}, false},
		{"no time", Sample{0, 1000, 16, 16}, true},
		{"nothing done", Sample{time.Second, 0, 16, 16}, true},
		{"hardly anything done", Sample{5 * time.Second, 29, 16, 16}, true},
		{"little done, but again and again", Sample{time.Second, 10, 16, 16}, false},
		{"idle workers", Sample{time.Second, 1000, 12, 16}, true},
		{"another number of workers", Sample{time.Second, 1000, 20, 20}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := NewClimber(16, 256)
			if got, _ := c.Next(Sample{}); got != 16 {
				t.Fatalf("starts with %d workers, want 16", got)
			}
			stayed := true
			for range 20 {
				got, _ := c.Next(tt.s)
				stayed = stayed && got == 16
			}
			if stayed != tt.want {
				t.Errorf("stayed = %t, want %t", stayed, tt.want)
			}
		})
	}
}

// TestClimberDoesNotClimbWithoutWork has fewer tasks than workers from some
// number on: more than can be busy are given up at once.
func TestClimberDoesNotClimbWithoutWork(t *testing.T) {
	for _, tasks := range []int{1, 10, 40} {
		c := NewClimber(16, 256)
		var idle, last time.Duration
		r := run{storages: []storage{nfs5}, length: time.Minute, noise: 0.1, tasks: tasks, seen: func(now time.Duration, workers int) {
			if workers > max(16, 2*tasks) {
				idle += now - last
			}
			last = now
		}}
		r.simulate(c, 1)
		if c.base > max(16, 2*tasks) || idle > 2*time.Second {
			t.Errorf("%d tasks: %d workers in the end, too many for %v", tasks, c.base, idle)
		}
	}
}

// TestClimberKeepsItsBounds gives it nonsense.
func TestClimberKeepsItsBounds(t *testing.T) {
	tests := []struct{ start, max int }{{16, 256}, {64, 256}, {4, 4}, {1, 1}, {3, 100}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			c := NewClimber(tt.start, tt.max)
			workers, next := c.Next(Sample{})
			if workers != tt.start {
				t.Errorf("starts with %d workers, want %d", workers, tt.start)
			}
			rng := rand.New(rand.NewPCG(1, 1))
			least, most := workers, workers
			for range 100_000 {
				workers, next = c.Next(Sample{next, rng.ExpFloat64() * 10000, workers, workers})
				least, most = min(least, workers), max(most, workers)
				if next <= 0 || next > time.Second {
					t.Fatalf("next in %v", next)
				}
			}
			if least != 1 || most != tt.max {
				t.Errorf("from %d to %d workers, want 1 to %d", least, most, tt.max)
			}
		})
	}
}

func TestWork(t *testing.T) {
	tests := []struct {
		files, bytes int64
		want         float64
	}{
		{0, 0, 0},
		{3, 0, 3},
		{1, 64 << 10, 2},
		{0, 1 << 20, 16},
		{2, 16 << 10, 2.25},
	}
	for _, tt := range tests {
		if got := Work(tt.files, tt.bytes); got != tt.want {
			t.Errorf("Work(%d, %d) = %v, want %v", tt.files, tt.bytes, got, tt.want)
		}
	}
}

package protocol

import (
	"math"
	"testing"
	"time"

	"psync/internal/queue"
)

func TestRate(t *testing.T) {
	members := func(kinds string) (all []queue.Member) {
		for i, kind := range kinds {
			m := queue.Member{ID: queue.ID{byte(i + 1)}}
			switch kind {
			case 'h':
				m.Hungry = true
			case 'f':
				m.Finished = 1
			case 'l':
				m.Age = Lease
			}
			all = append(all, m)
		}
		return all
	}
	for _, tt := range []struct {
		name  string
		limit int64
		kinds string // of members: at work (w), hungry, finished with the round, lost
		want  []int64
	}{
		{"no limit", 0, "ww", []int64{0, 0}},
		{"one", 1000, "w", []int64{1000}},
		{"one without work", 1000, "h", []int64{1000}},
		{"two", 1000, "ww", []int64{500, 500}},
		{"three", 1000, "www", []int64{333, 333, 333}},
		{"one is hungry", 1700, "wh", []int64{1600, 100}},
		{"one has finished", 1700, "fw", []int64{100, 1600}},
		{"all have finished", 900, "fff", []int64{300, 300, 300}},
		{"one is lost", 1000, "lww", []int64{333, 500, 500}}, // it ends before it sees this state
		{"one is lost, others without work", 3400, "lwwhh", []int64{0, 1600, 1600, 100, 100}},
		{"very little", 2, "wwww", []int64{1, 1, 1, 1}},
		{"very much", math.MaxInt64, "wwh", []int64{4471937957262921603, 4471937957262921603, 279496122328932600}},
	} {
		s := queue.State{Round: queue.Round{N: 1}, Members: members(tt.kinds)}
		for i, want := range tt.want {
			if want == 0 && tt.limit > 0 {
				continue
			}
			if got := Rate(tt.limit, s, s.Members[i].ID, Lease); got != want {
				t.Errorf("%s: member %d: %d, want %d", tt.name, i, got, want)
			}
		}
	}
	s := queue.State{Round: queue.Round{N: 1}, Members: members("w")}
	if got := Rate(1700, s, queue.ID{99}, Lease); got != 100 {
		t.Errorf("one that is about to join: %d", got)
	}
}

// TestRatesKeepTheLimit adds the rates of members that have seen one state.
func TestRatesKeepTheLimit(t *testing.T) {
	for n := range 200 {
		s := queue.State{Round: queue.Round{N: 1}}
		for i := range n%20 + 1 {
			s.Members = append(s.Members, queue.Member{
				ID: queue.ID{byte(i + 1)}, Age: time.Duration(n*7+i*13) % 50 * time.Second,
				Status: queue.Status{Hungry: (n+i)%3 == 0, Finished: (n / (i + 1)) % 2},
			})
		}
		limit, sum := int64(1000+n*n), int64(0)
		for _, m := range s.Members {
			sum += Rate(limit, s, m.ID, Lease)
		}
		if sum > limit || sum < limit*9/10 {
			t.Errorf("%d: %d members move %d of %d", n, len(s.Members), sum, limit)
		}
	}
}

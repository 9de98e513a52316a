package cluster

import (
	"testing"
	"time"

	"psync/internal/queue"
	"psync/internal/tempname"
)

// TestStatesOfProcesses wants what a host does with temporaries of the others.
func TestStatesOfProcesses(t *testing.T) {
	const lease = time.Minute
	s := queue.State{Members: []queue.Member{
		{ID: queue.ID{3: 1}, Age: lease - 1},
		{ID: queue.ID{3: 2}, Age: lease},
		{ID: queue.ID{3: 3}, Age: lease / 2, Lost: true},
		{ID: queue.ID{3: 4, 15: 9}, Age: lease/2 - 1, Lost: true},
	}}
	for run, want := range map[uint32]tempname.State{
		1: tempname.Running, 2: tempname.Dead, 3: tempname.Dead, 4: tempname.Running,
		5: tempname.Unknown, // it has left, which it does when it has removed its temporaries, or it is no member
	} {
		if got := stateOfProcess(s, run, lease); got != want {
			t.Errorf("process %d: %v, want %v", run, got, want)
		}
	}
}

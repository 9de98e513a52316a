package member

import (
	"testing"
	"time"

	"psync/internal/queue"
)

func TestShare(t *testing.T) {
	const lease = time.Minute
	self, other, third := queue.ID{1}, queue.ID{2}, queue.ID{3}
	works := func(id queue.ID) queue.Member { return queue.Member{ID: id} }
	hungry := func(id queue.ID) queue.Member { return queue.Member{ID: id, Status: queue.Status{Hungry: true}} }
	finished := func(id queue.ID) queue.Member { return queue.Member{ID: id, Status: queue.Status{Finished: 1}} }
	lost := func(id queue.ID) queue.Member { return queue.Member{ID: id, Age: lease} }
	for _, tt := range []struct {
		name    string
		members []queue.Member
		want    int64
	}{
		{"before it has joined", nil, 6600},
		{"alone", []queue.Member{works(self)}, 6600},
		{"alone, without work", []queue.Member{hungry(self)}, 6600},
		{"one of two", []queue.Member{works(other), works(self)}, 3300},
		{"one of three", []queue.Member{works(other), works(self), works(third)}, 2200},
		{"another one is hungry", []queue.Member{hungry(other), works(self)}, 6400},
		{"it is hungry", []queue.Member{works(other), hungry(self)}, 200},
		{"it has finished", []queue.Member{works(other), finished(self)}, 200},
		{"both are hungry", []queue.Member{hungry(other), hungry(self)}, 3300},
		{"another one is lost", []queue.Member{lost(other), works(self)}, 6600},
		{"it is silent", []queue.Member{works(other), lost(self)}, 3300},
	} {
		s := queue.State{Round: queue.Round{N: 1}, Members: tt.members}
		if got := share(6600, s, self, lease); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := share(1, queue.State{Members: []queue.Member{works(other), works(self)}}, self, lease); got != 1 {
		t.Errorf("a limit of a byte: %d", got)
	}
}

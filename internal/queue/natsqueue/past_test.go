package natsqueue

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

// pastOf returns the past of commands with numbers and hashes.
func pastOf(commands ...uint64) (p past) {
	for i := 0; i < len(commands); i += 2 {
		p.add(commands[i], uint32(commands[i+1]))
	}
	return p
}

func TestPastHas(t *testing.T) {
	own := pastOf(1, 10, 3, 30, 4, 40)
	for _, tt := range []struct {
		name string
		m    mark
		want bool
	}{
		{"nothing was before", mark{}, true},
		{"the same", pastOf(1, 10, 3, 30, 4, 40).last(), true},
		{"a shorter one", pastOf(1, 10).last(), true},
		{"another last command", pastOf(1, 10, 3, 31).last(), false},
		{"another command before", pastOf(1, 11, 3, 30, 4, 40).last(), false},
		{"a command before is missing", pastOf(1, 10, 4, 40).last(), false},
		{"there is a record", pastOf(1, 10, 2, 20).last(), false},
		{"in the future", pastOf(1, 10, 3, 30, 4, 40, 5, 50).last(), false},
	} {
		if got := own.has(tt.m); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if !(past{}).has(mark{}) || (past{}).has(mark{Seq: 1}) {
		t.Error("a past of nothing")
	}
}

func TestPastForgets(t *testing.T) {
	var p past
	for i := range uint64(3*remembered + 1) {
		p.add(i+1, uint32(i))
	}
	// However long the slice is at the moment, the same number is remembered, or replicas would disagree.
	for range 2 * remembered {
		p.add(p.last().Seq+1, 0)
		oldest := p.last().Seq - remembered + 1
		if p.has(mark{Seq: oldest}) || !p.has(mark{Seq: oldest - 1}) {
			t.Fatalf("at %d, what is remembered does not begin at %d", p.last().Seq, oldest)
		}
	}
}

func TestIsBehind(t *testing.T) {
	const mine, other, third = 1, 2, 3
	for _, tt := range []struct {
		name        string
		own, server place
		sender      uint32
		want        bool
	}{
		{"the server has what this process has", place{true, mine}, place{true, mine}, other, false},
		{"the server has what the sender has", place{true, mine}, place{true, other}, other, true},
		{"it has something else", place{true, mine}, place{true, third}, other, true},
		{"it has nothing", place{true, mine}, place{}, other, true},
		{"this process was not given it", place{}, place{true, other}, other, true},
		{"neither has anything", place{}, place{}, other, false},
		{"they differ before it", place{true, mine}, place{true, mine}, mine, true},
	} {
		if got := isBehind(tt.own, tt.server, mark{Message: tt.sender}); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestCheckPast(t *testing.T) {
	created := time.Unix(1e9, 0)
	for _, tt := range []struct {
		name     string
		at       time.Time
		replicas int
		state    jetstream.StreamState
		want     error
	}{
		{"all is there", created, 1, jetstream.StreamState{FirstSeq: 1, LastSeq: 7}, nil},
		{"there is more", created, 1, jetstream.StreamState{FirstSeq: 1, LastSeq: 8}, nil},
		{"the end is lost", created, 1, jetstream.StreamState{FirstSeq: 1, LastSeq: 6}, queue.ErrLost},
		{"the end is not there yet", created, 3, jetstream.StreamState{FirstSeq: 1, LastSeq: 6}, errBehind},
		{"all is lost", created, 1, jetstream.StreamState{}, queue.ErrLost},
		{"all was purged", created, 1, jetstream.StreamState{FirstSeq: 8, LastSeq: 7}, queue.ErrLost},
		{"the beginning was purged", created, 1, jetstream.StreamState{FirstSeq: 2, LastSeq: 7}, queue.ErrLost},
		{"one was removed", created, 1, jetstream.StreamState{FirstSeq: 1, LastSeq: 7, NumDeleted: 1}, queue.ErrLost},
		{"another stream", created.Add(1), 1, jetstream.StreamState{FirstSeq: 1, LastSeq: 7}, queue.ErrLost},
	} {
		info := &jetstream.StreamInfo{Created: tt.at, State: tt.state, Config: jetstream.StreamConfig{Replicas: tt.replicas}}
		if err := checkPast(info, created, 7); !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

package run

import (
	"runtime"
	"time"

	"psync/internal/walk"
)

// Numbers of workers.
const (
	localThreads   = 16
	networkThreads = 64
	MaxThreads     = 1024 // each worker may need a system thread
	maxAutoThreads = 256
)

// Threads says how many workers a run has.
type Threads struct {
	N    int  // 0: as many as suit the volumes and the hosts
	Auto bool // the run finds the number by itself

	IgnoreNetwork bool // network file systems get no more workers than others
}

// First returns the number of workers to start with, and the number up to which more are added while calls wait. The
// round trip to another host is 0 if there is none.
func (t Threads) First(network bool, roundTrip time.Duration) (first, later int) {
	switch {
	case t.N > 0:
		return t.N, t.N
	case roundTrip > 0:
		first = threadsFor(roundTrip)
		return first, first
	case t.IgnoreNetwork:
		return localThreads, localThreads
	case network:
		return networkThreads, networkThreads
	}
	first = min(runtime.GOMAXPROCS(0), localThreads)
	if t.Auto {
		return first, first
	}
	return first, localThreads
}

// threadsFor returns how many workers hide a round trip: they wait most of the time.
func threadsFor(roundTrip time.Duration) int {
	switch {
	case roundTrip < time.Millisecond:
		return localThreads
	case roundTrip < 3*time.Millisecond:
		return networkThreads
	}
	const perMillisecond = 25
	return int(min(roundTrip*perMillisecond/time.Millisecond, MaxThreads))
}

// Most returns the largest number of workers that is possible later.
func (t Threads) Most() int {
	if t.Auto {
		return maxAutoThreads
	}
	return MaxThreads
}

// size returns workers for a run that opens few files.
func (t Threads) size(network bool, roundTrip time.Duration) *walk.Size {
	first, later := t.First(network, roundTrip)
	s := walk.NewSize(first, later)
	s.GrowTo(later)
	return s
}

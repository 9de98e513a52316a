package run

import "time"

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

// First returns the number of workers to start with. The round trip to another host is 0 if there is none.
func (t Threads) First(network bool, roundTrip time.Duration) int {
	switch {
	case t.N > 0:
		return t.N
	case roundTrip > 0:
		return threadsFor(roundTrip)
	case network && !t.IgnoreNetwork:
		return networkThreads
	}
	return localThreads
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

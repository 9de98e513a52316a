package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// tuneAfter is when a run is long enough to be worth tuning for: that takes part of
// a millisecond, of which copying a small file takes two.
const tuneAfter = 10 * time.Millisecond

// tune fits the runtime to a program whose goroutines are in system calls most of the
// time, unless the environment says something else. With twice as many processors as
// there are, few calls that take longer cost a goroutine its own, which it would have to
// wait for; collecting garbage less often makes up for what idle ones do about it.
// On two cores a copy of 80,000 small files took 6 to 8 % less time so.
func tune() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(mostGarbage)
		if os.Getenv("GOMEMLIMIT") == "" {
			afterCollection(new(garbage{percent: mostGarbage}).limit)
		}
	}
}

const (
	// mostGarbage is how much garbage there may be, in percent of what is in use, while that is little. With 400, a copy
	// of 80,000 small files took as long, and two megabytes more.
	mostGarbage = 200
	// leastGarbage is the same where much is in use.
	leastGarbage = 50
	// littleGarbage is how many bytes of garbage are too few to be worth collecting them more often.
	littleGarbage = 16 << 20
)

// garbage is how much garbage there may be, in percent of what is in use.
type garbage struct{ percent int }

// limit fits the percentage to the bytes that are in use. 200 % of a few megabytes are cheap, but of the 30 that
// 100,000 directories in one take, 400 % made a process of 200.
func (g *garbage) limit() {
	var m runtime.MemStats // package runtime/metrics would take a tenth of a millisecond of each run's start
	runtime.ReadMemStats(&m)
	percent := garbagePercent(m.NextGC * 100 / uint64(100+g.percent))
	if percent != g.percent {
		g.percent = percent
		debug.SetGCPercent(percent)
	}
	afterCollection(g.limit)
}

// garbagePercent returns how much garbage there may be, in percent of what is in use, in steps of 50.
func garbagePercent(live uint64) int {
	percent := littleGarbage * 100 / max(live, 1)
	return int(max(leastGarbage, min(percent/50*50, mostGarbage)))
}

// afterCollection has a function called, once, after the next garbage collection.
func afterCollection(call func()) {
	type collected struct{ *collected } // with a pointer, for objects without may share their memory
	runtime.SetFinalizer(new(collected), func(*collected) { call() })
}

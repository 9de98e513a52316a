package program

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// tuneAfter is how long a run must last to be worth tuning. Tuning takes a fraction of a millisecond, and
// copying a small file two milliseconds in all.
const tuneAfter = 10 * time.Millisecond

// tune adjusts the runtime to a program whose goroutines spend most of their time in system calls, unless the
// environment sets other values. With GOMAXPROCS at twice the number of processors, fewer goroutines lose
// their P in a long call and have to wait for one. Collecting garbage less often makes up for the work of
// idle Ps on it. On two cores, a copy of 80,000 small files took 6 to 8 % less time.
func tune() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
	if os.Getenv("GOGC") == "" {
		percent := garbagePercent(0, reachesHost.Load())
		debug.SetGCPercent(percent)
		if os.Getenv("GOMEMLIMIT") == "" {
			afterCollection(new(garbage{percent: percent}).limit)
		}
	}
}

const (
	// maxGarbage is the garbage percentage (GOGC) while little memory is in use. With 400, a copy of 80,000 small
	// files took the same time and two more megabytes.
	maxGarbage = 200
	// minGarbage is the garbage percentage while much memory is in use.
	minGarbage = 50
	// littleGarbage is an amount of garbage, in bytes, that is not worth more frequent collections.
	littleGarbage = 16 << 20
	// moreGarbage takes the place of both, as a percentage and in bytes, once another host is reached, or reaches this
	// one: each packet of SSH is garbage. Pulling 1 GiB took 2.0 s in place of 2.4, and a quarter less processor time
	// of this program. Where there is nothing to do, most runs end before the first collection.
	moreGarbage, moreGarbageBytes = 800, 64 << 20
)

// reachesHost is set before another host is connected to or served.
var reachesHost atomic.Bool

// garbage holds the current garbage percentage.
type garbage struct{ percent int }

// limit adjusts the percentage to the memory in use. 200 % of a few megabytes is cheap, but with 400 % the 30 MB
// for 100,000 directories in one directory became a process of 200 MB.
func (g *garbage) limit() {
	var m runtime.MemStats // package runtime/metrics would add a tenth of a millisecond to the start of each run
	runtime.ReadMemStats(&m)
	percent := garbagePercent(m.NextGC*100/uint64(100+g.percent), reachesHost.Load())
	if percent != g.percent {
		g.percent = percent
		debug.SetGCPercent(percent)
	}
	afterCollection(g.limit)
}

// garbagePercent returns the garbage percentage for live bytes, in steps of 50.
func garbagePercent(live uint64, reachesHost bool) int {
	most, little := maxGarbage, uint64(littleGarbage)
	if reachesHost {
		most, little = moreGarbage, moreGarbageBytes
	}
	percent := little * 100 / max(live, 1)
	return int(max(minGarbage, min(percent/50*50, uint64(most))))
}

// afterCollection arranges for one call of a function after the next garbage collection.
func afterCollection(call func()) {
	type collected struct{ *collected } // with a pointer, because objects without pointers may share a memory block
	runtime.SetFinalizer(new(collected), func(*collected) { call() })
}

package walk

import (
	"context"
	"runtime"
	"time"

	"psync/internal/sys"
)

const (
	growInterval = 5 * time.Millisecond   // how often a pool finds out whether more workers pay
	growWindow   = 100 * time.Millisecond // how far it looks back
	trialWindow  = 50 * time.Millisecond  // how long workers work before they are found to pay
	firstRest    = time.Second            // how long a pool waits after some did not; it doubles each time
	// uncounted is processor time that a running thread may have taken, and that the system does not count yet: Linux
	// does so with each tick of the clock.
	uncounted = 4 * time.Millisecond
)

// grow adds workers while calls wait, until ctx ends.
func (p *Pool[T, W]) grow(ctx context.Context) {
	ticker := time.NewTicker(growInterval)
	defer ticker.Stop()
	g := &grower{processors: runtime.GOMAXPROCS(0), begin: usage{time.Now(), sys.CPUTime()}, pause: firstRest}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		n := p.Size.Get()
		if !p.Size.changeWhileGrowing(g.next(usage{time.Now(), sys.CPUTime()}, n, p.Idle())) {
			return
		}
	}
}

// A usage is how much processor time the process had taken at a time.
type usage struct {
	at  time.Time
	cpu time.Duration
}

// A grower decides how many workers pay. More than processors do while calls wait for a disk or a server, but not while
// they wait for each other, as calls that change one file system do. Twice as many workers take clearly more processor time
// in the first case only.
type grower struct {
	processors int
	begin      usage         // since when usage counts
	trial      bool          // the last workers are on trial
	last       int           // the number of workers before the trial
	share      float64       // of the processors that were busy before the trial
	pause      time.Duration // the next rest
	restsUntil time.Time
}

// next returns the number of workers that there should be now, given their number and that of those without work.
func (g *grower) next(now usage, workers, idle int) int {
	elapsed := now.at.Sub(g.begin.at)
	cpu := now.cpu - g.begin.cpu
	running := time.Duration(min(workers, g.processors))
	limit := running * elapsed
	share := float64(cpu) / float64(elapsed)
	n := workers
	switch {
	case idle > 0:
	case g.trial && elapsed < trialWindow:
		return n
	case g.trial:
		if g.trial = false; share < 1.2*g.share {
			n = g.last
			g.restsUntil, g.pause = now.at.Add(g.pause), 2*g.pause
		}
	case now.at.Before(g.restsUntil):
	case cpu+running*uncounted < limit/4:
		n = 4 * workers // which certainly pays
	case elapsed >= growWindow/2 && cpu < limit*3/4:
		g.trial, g.last, g.share = true, workers, share
		n = 2 * workers
	case elapsed < growWindow:
		return n
	}
	g.begin = now
	return n
}

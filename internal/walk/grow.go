package walk

import (
	"context"
	"runtime"
	"time"

	"psync/internal/sys"
)

const (
	growInterval  = 5 * time.Millisecond   // how often a pool checks whether more workers are worthwhile
	growWindow    = 100 * time.Millisecond // how far it looks back
	trialWindow   = 50 * time.Millisecond  // how long a trial of more workers lasts
	firstCoolDown = time.Second            // until the next trial after one has failed; it doubles each time
	// uncounted is CPU time of a running thread that is not accounted for yet: Linux updates it once a tick.
	uncounted = 4 * time.Millisecond
)

// grow adds workers while calls wait, until ctx ends.
func (p *Pool[T, W]) grow(ctx context.Context) {
	ticker := time.NewTicker(growInterval)
	defer ticker.Stop()
	g := &grower{processors: runtime.GOMAXPROCS(0), begin: usage{time.Now(), sys.CPUTime()}, coolDown: firstCoolDown}
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

// A grower decides how many workers are worthwhile. More workers than processors help while calls wait for a disk or a
// server, but not while they wait for each other, as calls that change one file system do. Only in the first case, twice as
// many workers take clearly more CPU time: a fifth more, at least.
type grower struct {
	processors int
	begin      usage         // since when usage counts
	onTrial    bool          // the workers that were added last are on trial
	before     int           // the number of workers before the trial
	busyBefore float64       // how many processors were busy then
	coolDown   time.Duration // after the next trial that fails
	noTrial    time.Time     // before this time
}

// next returns the number of workers that there should be now, given their number and that of those without work.
func (g *grower) next(now usage, workers, idle int) int {
	elapsed := now.at.Sub(g.begin.at)
	cpu := now.cpu - g.begin.cpu
	running := time.Duration(min(workers, g.processors))
	available := running * elapsed
	busy := float64(cpu) / float64(elapsed)
	n := workers
	switch {
	case idle > 0: // what was measured says nothing
	case g.onTrial && elapsed < trialWindow:
		return n
	case g.onTrial:
		if g.onTrial = false; busy < 1.2*g.busyBefore {
			n = g.before
			g.noTrial, g.coolDown = now.at.Add(g.coolDown), 2*g.coolDown
		}
	case now.at.Before(g.noTrial):
	case cpu+running*uncounted < available/4: // calls that wait for each other keep more busy
		n = 4 * workers
	case elapsed >= growWindow/2 && cpu < available*3/4:
		g.onTrial, g.before, g.busyBefore = true, workers, busy
		n = 2 * workers
	case elapsed < growWindow:
		return n
	}
	g.begin = now
	return n
}

package retry

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

const (
	// firstPause and longestPause limit the pause between two attempts, which doubles each time.
	firstPause, longestPause = 100 * time.Millisecond, 5 * time.Second
	// maxRepeats is how often a call is repeated on a volume that answers if the error may concern only a single entry,
	// such as one on a bad sector.
	maxRepeats = 5
	// For doubtAfter after an outage, ENOENT and EACCES are not trusted: a CIFS client returns ENOENT for whole
	// directories when the server has just started, and caches it for a second. A call is then repeated up to
	// maxDoubts times, after pauses that begin with firstDoubt.
	doubtAfter, firstDoubt, maxDoubts = 10 * time.Second, 500 * time.Millisecond, 3
)

// A volume is one file system.
type volume struct {
	all   *shared
	root  *root       // nil for a host
	conn  *connection // nil unless the volume is a host
	calls calls

	lost  atomic.Pointer[vfs.LostError] // the volume was given up
	until atomic.Pointer[time.Time]     // ENOENT and EACCES are not trusted before this time; nil: they are trusted
	spent atomic.Int64                  // how long calls were repeated that finally failed while the volume answered

	mu     sync.Mutex // guards outage
	outage *outage    // nil: none is known
}

// An outage is a period during which a volume is being probed.
type outage struct {
	over    chan struct{}
	noticed bool // by the first probe; set before over is closed
}

// A trial counts the failures of a call that may be repeated.
type trial struct {
	first   time.Time // when it failed first
	n       int       // how often it has failed
	repeats int       // how often in a row with an error that may concern only the entry
	lacks   int       // how often with an error that was not trusted
}

// await waits after a call failed with err. It returns nil when the call should be repeated, or else the final error of
// the call.
func (v *volume) await(t *trial, err error) error {
	switch {
	case v.lost.Load() != nil:
		return v.lost.Load()
	case v.conn != nil:
		return v.awaitConnection(err)
	case v.all.VolumeTimeout == 0:
		return err
	}
	out := false
	switch {
	case outcome.IsOutage(err):
		if !v.isSpent() {
			v.doubtFor(v.all.VolumeTimeout + doubtAfter) // others may notice the end first
		}
		out = v.awaitAnswer(err)
	case outcome.IsDenied(err):
		out = v.awaitAnswer(err)
	}
	switch {
	case out:
		*t = trial{} // failures during an outage do not count
		v.spent.Store(0)
	case outcome.IsDenied(err) && !v.isDoubtful():
		return err // the volume answers: access to this entry is denied
	case !outcome.IsOutage(err):
		return v.awaitDoubt(t, err)
	}
	if lost := v.lost.Load(); lost != nil {
		return lost
	}
	spent := v.isSpent()
	if !spent {
		v.doubtFor(doubtAfter)
	}
	if t.n == 0 {
		t.first = time.Now()
	}
	t.n++
	t.repeats++
	if !outcome.MayBeOfEntry(err) {
		t.repeats = 0
	}
	if t.n > 1 && (spent || time.Since(t.first) >= v.all.VolumeTimeout) || t.repeats > maxRepeats {
		v.spent.Add(int64(time.Since(t.first)))
		return err
	}
	if !spent && !v.sleep(pause(t.n-1)) {
		return err
	}
	v.all.repeated.Add(1)
	return nil
}

// awaitConnection is await for a host.
func (v *volume) awaitConnection(err error) error {
	if !outcome.IsLost(err) || v.all.HostTimeout == 0 {
		return err
	}
	v.awaitAnswer(err)
	if lost := v.lost.Load(); lost != nil {
		return lost
	}
	if v.conn.ends() {
		return err
	}
	v.all.repeated.Add(1)
	return nil
}

// isSpent reports whether calls have been repeated without success for so long, on a volume that answers, that the
// entries themselves must be the cause. A call is then repeated only once, right after the probe.
func (v *volume) isSpent() bool { return v.spent.Load() >= int64(v.all.VolumeTimeout) }

// awaitDoubt is await for an error that is not trusted.
func (v *volume) awaitDoubt(t *trial, err error) error {
	if t.lacks++; t.lacks > maxDoubts || !v.sleep(firstDoubt<<(t.lacks-1)) {
		return err
	}
	return nil
}

// doubtFor makes isDoubtful return true for the time d from now on.
func (v *volume) doubtFor(d time.Duration) {
	until := time.Now().Add(d)
	v.until.Store(&until)
}

// doubtsAbsence reports whether an error says that an entry does not exist and may say so only because of a recent outage.
func (v *volume) doubtsAbsence(err error) bool {
	return errors.Is(err, syscall.ENOENT) && v.isDoubtful()
}

// isDoubtful reports whether there is, or recently was, an outage.
func (v *volume) isDoubtful() bool {
	until := v.until.Load()
	return until != nil && time.Now().Before(*until)
}

// awaitAnswer returns when the volume answers, has been given up, or the run must end, and reports whether there was an
// outage. The first caller probes the volume; the others wait for its result.
func (v *volume) awaitAnswer(cause error) (out bool) {
	probe := v.probeUntilAnswer
	if v.conn != nil {
		probe = v.reconnect
	}
	v.mu.Lock()
	o := v.outage
	if o == nil {
		o = &outage{over: make(chan struct{})}
		v.outage = o
		v.mu.Unlock()
		o.noticed = probe(cause)
		v.mu.Lock()
		v.outage = nil
		close(o.over)
	}
	v.mu.Unlock()
	select {
	case <-o.over:
		return o.noticed
	case <-v.all.done:
		return false
	}
}

// reconnect is probeUntilAnswer for a host.
func (v *volume) reconnect(cause error) (noticed bool) {
	noticed, lost := v.conn.restore(cause)
	if lost != nil {
		v.lost.Store(lost)
	}
	return noticed
}

// probeUntilAnswer probes the volume until it answers, is given up, or the run must end. It reports whether the first
// probe failed. If the first probe succeeds, no outage is reported.
func (v *volume) probeUntilAnswer(cause error) (noticed bool) {
	start := time.Now()
	for n := 0; v.lost.Load() == nil; n++ {
		err := v.probe()
		waited := time.Since(start)
		switch {
		case err == nil:
			if noticed {
				v.all.report(report.Event{Kind: report.OutageEnd, Root: v.root.label, Err: fmt.Errorf("answers again after %v", waited.Round(time.Second))})
			}
			return noticed
		case waited >= v.all.VolumeTimeout && n > 0: // the first probe alone may take longer than that to fail
			v.lost.Store(&vfs.LostError{Host: v.root.label, Err: fmt.Errorf("the volume has not answered for %v: %w", waited.Round(time.Second), outcome.Errno(cause))})
			return true
		case !noticed:
			v.all.report(report.Event{Kind: report.Outage, Root: v.root.label, Err: fmt.Errorf("%w; waiting up to %v for the volume to answer", outcome.Errno(cause), v.all.VolumeTimeout)})
		}
		if !noticed {
			noticed = true
			v.all.outages.Add(1)
			v.all.unreachable.Add(1)
			v.doubtFor(v.all.VolumeTimeout + doubtAfter)
			defer v.all.unreachable.Add(-1)
		}
		if !v.sleep(min(pause(n), v.all.VolumeTimeout-waited)) {
			break
		}
	}
	return noticed
}

// probe asks the server of the volume for something that the system does not answer from its cache.
func (v *volume) probe() error {
	c := v.calls.begin(nil, "")
	defer v.calls.end(c)
	d, err := v.root.reopen()
	if err != nil {
		return err
	}
	_, err = d.Statfs()
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return vfs.JoinErrors(err, d.Close())
}

// sleep waits for d. It returns false if the run must end first.
func (v *volume) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-v.all.done:
		return false
	}
}

// pause returns how long to wait after n pauses. It is random so that workers do not all ask at once.
func pause(n int) time.Duration {
	longest := min(firstPause<<min(n, 10), longestPause)
	return longest/2 + rand.N(longest/2)
}

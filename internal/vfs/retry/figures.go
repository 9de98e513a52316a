package retry

import "time"

// LongestCall returns how long the oldest call that has not returned has been running, or 0 if there is none.
func (vs *Volumes) LongestCall() (longest time.Duration) {
	now := time.Now()
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, v := range vs.byDev {
		longest = max(longest, v.calls.longest(now))
	}
	return longest
}

func (cs *calls) longest(now time.Time) (longest time.Duration) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if !c.since.IsZero() {
			longest = max(longest, now.Sub(c.since))
		}
	}
	return longest
}

// Outages returns the number of outages so far.
func (vs *Volumes) Outages() int64 { return vs.outages.Load() }

// Repeated returns how often calls were repeated after an error.
func (vs *Volumes) Repeated() int64 { return vs.repeated.Load() }

// Unreachable returns the number of volumes that do not answer and are being waited for.
func (vs *Volumes) Unreachable() int { return int(vs.unreachable.Load()) }

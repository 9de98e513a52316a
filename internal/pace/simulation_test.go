package pace

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A storage computes how much work so many workers do in a second, by Little's law
// or by a curve.
type storage func(workers float64) float64

// peak is what the best fixed number of workers does.
func (f storage) peak() float64 {
	most := 0.0
	for w := range 256 {
		most = max(most, f(float64(w+1)))
	}
	return most
}

// latencyBound answers each unit of work after that time, so many at once.
func latencyBound(latency time.Duration, atOnce float64) storage {
	return func(w float64) float64 { return min(w, atOnce) / latency.Seconds() }
}

// curve goes through shares of a peak, given for 1, 2, 4 ... 256 workers.
func curve(peak float64, share ...float64) storage {
	return func(w float64) float64 {
		x := math.Log2(w)
		i := min(int(x), len(share)-2)
		return peak * (share[i] + (share[i+1]-share[i])*(x-float64(i)))
	}
}

// A file on NFS takes three round trips.
var (
	local2    = curve(50000, .55, .88, 1, 1, 1, 1, .95, .92, .9)
	ssd16     = curve(300000, .07, .14, .28, .55, 1, 1, 1, .97, .93)
	disk      = curve(500, 1, 1, .85, .67, .5, .42, .36, .32, .3)
	nfs02     = latencyBound(600*time.Microsecond, 24)
	nfs1      = latencyBound(3*time.Millisecond, 64)
	nfs5      = latencyBound(15*time.Millisecond, 256)
	overload  = curve(16000, 1./32, 1./16, 1./8, .25, .5, 1, 1, .6, .35)
	bandwidth = curve(16000, .6, 1, 1, 1, 1, 1, 1, 1, 1)
)

// A run is a simulated one: of one storage, or of two, one after the other.
type run struct {
	storages []storage
	length   time.Duration
	// noise is the standard deviation, in logarithms, of each sample however
	// long it is; drift that of a change that lasts for about a second.
	noise, drift float64
	// tasks is how many workers can be busy; 0 means all.
	tasks int
	// seen, if set, is called for each call of Next.
	seen func(t time.Duration, workers int)
}

// simulate returns the work that c achieves, relative to that of the best number of workers at each time.
// Work that was begun by one number of workers is done at its rate, so each change shows only after a
// latency. The noise is in the samples that c sees, not in the work done.
func (r run) simulate(c *Climber, seed uint64) float64 {
	peaks := r.peaks()
	// at returns the storage of a time, its peak, and when the next one follows.
	each := r.length / time.Duration(len(r.storages))
	at := func(t time.Duration) (storage, float64, time.Duration) {
		i := int(t / each)
		if last := len(r.storages) - 1; i >= last {
			return r.storages[last], peaks[last], math.MaxInt64
		}
		return r.storages[i], peaks[i], each * time.Duration(i+1)
	}

	rng := rand.New(rand.NewPCG(seed, 1))
	workers, next := c.Next(Sample{})
	atWork := workers        // whose work is being done
	var change time.Duration // when that follows the number of workers
	var drift, done float64
	for t := time.Duration(0); t < r.length; {
		begun, end, work := t, t+next, 0.0
		for t < end {
			f, peak, until := at(t)
			until = min(until, end)
			if t < change {
				until = min(until, change)
			} else {
				atWork = workers
			}
			rate := f(float64(r.busy(atWork)))
			work += rate * (until - t).Seconds()
			done += rate / peak * max(0, min(until, r.length)-t).Seconds()
			t = until
		}
		keep := math.Exp(-(end - begun).Seconds())
		drift = drift*keep + r.drift*math.Sqrt(1-keep*keep)*rng.NormFloat64()
		work *= math.Exp(drift + r.noise*rng.NormFloat64())
		work = max(0, math.Round(work+math.Sqrt(work)*rng.NormFloat64())) // units come by chance

		before := workers
		workers, next = c.Next(Sample{Elapsed: end - begun, Work: work, Busy: r.busy(before), Asked: before})
		if workers != before {
			f, _, _ := at(t)
			change = t + time.Duration(float64(atWork)/f(float64(r.busy(atWork)))*float64(time.Second))
		}
		if r.seen != nil {
			r.seen(t, workers)
		}
	}
	return done / r.length.Seconds()
}

func (r run) peaks() []float64 {
	var peaks []float64
	for _, f := range r.storages {
		peaks = append(peaks, f.peak())
	}
	return peaks
}

func (r run) busy(workers int) int {
	if r.tasks > 0 {
		return min(workers, r.tasks)
	}
	return workers
}

// bestFixed returns what the best fixed number of workers gets done, in the measure of simulate.
func (r run) bestFixed() float64 {
	peaks := r.peaks()
	best := 0.0
	for w := range 256 {
		sum := 0.0
		for i, f := range r.storages {
			sum += f(float64(w+1)) / peaks[i]
		}
		best = max(best, sum/float64(len(r.storages)))
	}
	return best
}

// quality sums up many runs, by their seeds, 1 being what the best fixed number does.
func (r run) quality(seeds int) (mean, fifth, least float64) {
	var all []float64
	best := r.bestFixed()
	for seed := range seeds {
		share := r.simulate(NewClimber(16, 256), uint64(seed)) / best
		mean += share / float64(seeds)
		all = append(all, share)
	}
	slices.Sort(all)
	return mean, all[seeds/20], all[0]
}

package link

import "time"

const (
	asItIs      = 128 << 10 // bytes of the first two segments, which are not compressed, and may be all
	segmentSize = 256 << 10 // bytes of other segments
	remembered  = 4 << 20   // bytes that count most
	minDistance = 1 << 20   // bytes between trials
	maxDistance = 64 << 20
	without     = 2                     // segments of a trial without compressing, which fill a slow line
	with        = 8                     // segments of a trial with it,
	mixed       = 4                     // of which some arrive among those before them, by other channels
	minTrial    = 40 * time.Millisecond // of arriving segments; half of it ends one that fails
	maxTrial    = 1 << 20               // bytes of one without compressing; of one with it four times as many
	effort      = 7e-9                  // seconds that compressing a byte takes
	fast        = 4 * effort            // seconds for each byte, where compressing gains little
	queued      = 2 * time.Millisecond  // how long the first segments wait on a line that may be slow
)

// A cost is what moving some bytes took.
type cost struct {
	bytes int           // before they were compressed
	time  time.Duration // since the bytes before them had arrived
}

func (c *cost) add(more cost) {
	if c.bytes >= remembered {
		*c = cost{c.bytes / 2, c.time / 2}
	}
	c.bytes += more.bytes
	c.time += more.time
}

// perByte returns the seconds that a byte takes. Compressing counts as if nothing else went on meanwhile, as is true where
// the processors are the limit.
func (c *cost) perByte(compressed bool) float64 {
	seconds := c.time.Seconds() / float64(max(c.bytes, 1))
	if compressed {
		seconds += effort
	}
	return seconds
}

// A choice decides whether compressing pays, by its outcome: now and then, some segments are sent the other way, and what
// arrives faster goes on. Neither the rate nor a queue would do: both are the same whether a line is slow or the processors
// at either end are.
//
// If the first segments wait, compressing goes on until a trial without it has ended, because what goes out next would
// otherwise fill a slow line for seconds.
type choice struct {
	compress bool
	first    int  // segments that were sent at the start
	lasting  cost // of what is no trial
	left     int  // bytes until the next trial
	distance int  // bytes between trials

	trial    cost
	unsent   int // segments of the trial
	underWay int
	skip     int // of these, which do not count
}

// next reports whether the next segment is to be compressed, and how long it is.
func (c *choice) next() (compress bool, size int) {
	if c.first == 0 {
		c.compress, c.left, c.distance = true, minDistance/2, 4*minDistance
	}
	if c.first < 2 {
		c.first++
		return false, asItIs / 2
	}
	if c.left <= 0 && c.unsent+c.underWay == 0 && c.mayPay() {
		c.trial = cost{}
		if c.unsent = without; !c.compress {
			c.unsent, c.skip = with, mixed
		}
	}
	if c.unsent > 0 {
		c.unsent--
		c.underWay++
		return !c.compress, segmentSize
	}
	return c.compress, segmentSize
}

// mayPay reports whether a trial might show that the other way is faster: not if compressing takes little of the time as it
// is, nor if the line is fast.
func (c *choice) mayPay() bool {
	if c.compress {
		return c.lasting.perByte(true) < 10*effort
	}
	return c.lasting.perByte(false) > fast
}

// arrived adds what a segment took, and how long ago its last batch was to be written.
func (c *choice) arrived(compressed bool, took cost, delay time.Duration) {
	switch {
	case !compressed && c.compress && c.lasting.bytes == 0: // one of the first
		c.compress = delay >= queued
	case compressed == c.compress:
		c.lasting.add(took)
		c.left -= took.bytes
	case c.underWay > 0: // otherwise it was sent before a change
		if c.skip == 0 {
			c.trial.add(took)
		}
		c.skip = max(c.skip-1, 0)
		if c.underWay--; c.unsent+c.underWay == 0 {
			c.compare()
		}
	}
}

// compare ends a trial, or has it go on.
func (c *choice) compare() {
	before, after := c.lasting.perByte(c.compress), c.trial.perByte(!c.compress)
	isBetter, long, bytes := after < before/1.7, c.trial.time, c.trial.bytes/4
	if c.compress {
		isBetter, bytes = after < max(before*1.1, fast), c.trial.bytes
	}
	if !isBetter || after < fast {
		long *= 2
	}
	switch {
	case long < minTrial && bytes < maxTrial:
		c.unsent = max(c.trial.bytes/segmentSize, 1)
		return
	case isBetter:
		c.compress, c.lasting, c.distance = !c.compress, c.trial, minDistance
		if !c.compress {
			c.distance *= 4
		}
	default:
		c.distance = min(4*c.distance, maxDistance)
	}
	c.left = c.distance
}

package pace

import (
	"math"
	"time"
)

const (
	// A sample of a contest, including the drain before it, takes 50 ms, so that a run
	// of one second finds its level within the first quarter.
	drainInterval = 10 * time.Millisecond
	roundInterval = 40 * time.Millisecond
	restInterval  = 200 * time.Millisecond

	firstRest = time.Second
	maxRest   = 4 * time.Second

	// maxSample is how long a sample with too little work may take before it is
	// discarded.
	maxSample = 4 * time.Second
	// enough is the work that a sample needs. With less, noise alone accounts for a difference of
	// a fifth.
	enough = 30
	// queueing is the latency, in seconds per unit of work, that suggests a queue.
	// Above it, fewer workers are tried first, because a longer queue takes long to
	// drain.
	queueing = 0.03

	// The following are base-2 logarithms of a ratio of rates.

	clear   = 0.5  // the sum of differences that ends a contest
	tie     = 0.03 // the mean difference that does not count
	another = 1.0  // a change of the rate that only another storage or tree explains

	maxRounds = 6 // the number of differences after which their mean decides a contest
)

// A Sample is the work that workers did in some time.
type Sample struct {
	Elapsed time.Duration
	Work    float64 // done meanwhile, in units of Work
	Busy    int     // the mean number of workers that had work
	Asked   int     // the number of workers that Next had asked for
}

// Work returns files and bytes as one number: a file is a unit of work, and so
// is each 64 KiB. That is about the cost of a file in addition to its bytes.
func Work(files, bytes int64) float64 {
	return float64(files) + float64(bytes)/(64<<10)
}

// A Climber finds the number of workers that gets the most done. It belongs to
// one goroutine.
type Climber struct {
	start, max int

	state    state
	base     int     // the best known number
	baseRate float64 // of its last sample; rates are logarithms of units of work a second
	usual    float64 // baseRate, smoothed
	odd      int     // number of consecutive samples that depart from usual
	rest     time.Duration
	pause    time.Duration // the next rest

	contest
	collector
}

// A contest compares the base with a challenger, another number of workers.
type contest struct {
	trial     int     // the number of workers of the challenger
	trying    bool    // the challenger is in use, not the base
	trialRate float64 // of the challenger's last sample
	factor    int     // between the two numbers
	up        bool    // the challenger is the larger one
	lost      int     // number of directions that have lost at this factor
	lead      float64 // sum of the challenger's leads in this contest
	rounds    int     // number of them
}

// A collector accumulates work until there is enough for a sample.
type collector struct {
	draining bool    // the work done still belongs to the previous number of workers
	inFlight float64 // the work that remains until draining ends
	sofar    Sample
}

type state uint8

const (
	starting   state = iota // the rate of the base is not known
	contesting              // base and challenger take turns
	resting                 // the base is in use
)

// NewClimber returns a Climber that begins with start workers, and asks for at most max.
func NewClimber(start, max int) *Climber {
	c := &Climber{start: start, max: max}
	c.search()
	c.drain(0)
	return c
}

// Next takes the work done since the last call and returns how many workers there
// should be and when to call Next again. The sample of the first call is empty. Next
// ignores a sample if the number of workers is not the one that it asked for, if a fifth
// of the workers were idle, or, until there is more, if there was hardly any work.
func (c *Climber) Next(s Sample) (workers int, next time.Duration) {
	before := c.workers()
	if s.Elapsed > 0 && s.Asked == before {
		c.take(s)
	}
	if c.workers() != before {
		c.drain(before)
	}
	switch {
	case c.draining:
		return c.workers(), drainInterval
	case c.state == resting:
		return c.workers(), restInterval
	}
	return c.workers(), roundInterval
}

func (c *Climber) workers() int {
	if c.trying {
		return c.trial
	}
	return c.base
}

// drain discards the work that the previous number of workers had in progress, so that it does not count
// for the next number.
func (c *Climber) drain(before int) {
	c.draining, c.inFlight = true, float64(before)
	c.sofar = Sample{}
}

// take collects work until there is enough for a sample.
func (c *Climber) take(s Sample) {
	c.sofar.Elapsed += s.Elapsed
	c.sofar.Work += s.Work
	waited := c.sofar.Elapsed >= maxSample
	switch {
	case c.draining:
		if c.sofar.Work >= c.inFlight || waited {
			c.draining = false
			c.sofar = Sample{}
		}
	case s.Busy*5 < s.Asked*4, waited && c.sofar.Work < enough:
		c.sofar = Sample{}
		if c.trying {
			c.lose() // the rate of the challenger is unknown, and does not matter
		}
	case c.sofar.Work >= enough:
		took := c.sofar.Elapsed
		rate := math.Log2(c.sofar.Work / took.Seconds())
		c.sofar = Sample{}
		c.evaluate(rate, took)
	}
}

// evaluate acts on the rate of the number of workers in use.
func (c *Climber) evaluate(rate float64, took time.Duration) {
	if c.trying {
		c.trialRate = rate
	} else {
		if c.state != starting && math.Abs(rate-c.usual) > another {
			if c.odd++; c.odd == 2 {
				c.search()
			}
			return
		}
		c.odd = 0
		c.baseRate = rate
		c.usual += (rate - c.usual) / 4
	}
	switch c.state {
	case starting:
		c.usual = rate
		c.up = float64(c.base)/math.Exp2(rate) < queueing
		c.challenge()
	case contesting:
		c.compare()
	case resting:
		if c.rest -= took; c.rest <= 0 {
			c.challenge()
		}
	}
}

// search starts the search from the beginning.
func (c *Climber) search() {
	c.state = starting
	c.base, c.trying = c.start, false
	c.factor, c.lost = 4, 0
	c.odd, c.pause = 0, firstRest
}

// challenge begins a contest, or a rest if both directions have lost to the base at
// every factor.
func (c *Climber) challenge() {
	c.state = contesting
	c.lead, c.rounds = 0, 0
	for ; c.lost < 2 || c.factor > 2; c.lost++ {
		if c.lost >= 2 {
			c.factor, c.lost = 2, 0
		}
		c.trial = max(c.base/c.factor, 1)
		if c.up {
			c.trial = min(c.base*c.factor, c.max)
		}
		if c.trial != c.base {
			c.trying = true
			return
		}
		c.up = !c.up
	}
	c.state, c.trying, c.lost = resting, false, 0
	c.rest, c.pause = c.pause, min(2*c.pause, maxRest)
}

// compare adds one difference to the contest, and ends the contest if that is enough.
// Base and challenger take turns, and each sample except the first is part of two
// differences, so an unrelated drift cancels out.
func (c *Climber) compare() {
	handicap := tie
	if (c.trial > c.base) == (c.start > c.base) && c.start != c.base {
		handicap = -tie
	}
	c.lead += c.trialRate - c.baseRate - handicap
	c.rounds++
	switch {
	case c.lead > clear, c.rounds == maxRounds && c.lead > 0:
		c.win()
	case c.lead < -clear, c.rounds == maxRounds:
		c.lose()
	default:
		c.trying = !c.trying
	}
}

// win makes the challenger the base. The opposite direction has already lost.
func (c *Climber) win() {
	c.base, c.baseRate, c.usual = c.trial, c.trialRate, c.trialRate
	c.trying = false
	c.lost, c.pause = 1, firstRest
	c.challenge()
}

// lose makes the base try the other direction.
func (c *Climber) lose() {
	c.trying = false
	c.up = !c.up
	c.lost++
	c.challenge()
}

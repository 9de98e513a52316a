package pace

import (
	"math"
	"time"
)

const (
	defaultStart = 16
	defaultMax   = 256

	// A sample of a contest, with the settling before it, takes 50 ms, so that
	// a run of a second finds its level within its first quarter.
	settleInterval = 10 * time.Millisecond
	roundInterval  = 40 * time.Millisecond
	restInterval   = 200 * time.Millisecond

	firstRest = time.Second
	maxRest   = 4 * time.Second

	// patience is how long too little work is collected before it is given up.
	patience = 4 * time.Second
	// enough is the work that a sample needs: with less, chance alone makes a difference of a fifth.
	enough = 30
	// queueing is the latency, in seconds a unit of work, that suggests a queue:
	// then fewer workers are tried first, since a queue made longer takes long to drain.
	queueing = 0.03

	// The following are base-2 logarithms of a ratio of rates.

	clear   = 0.5  // sum of differences that ends a contest
	tie     = 0.03 // difference, in the mean, that does not count
	another = 1.0  // departure from the usual that another storage or tree explains

	maxRounds = 6 // differences after which the mean decides a contest
)

// A ClimberConfig bounds a Climber.
type ClimberConfig struct {
	Start int // workers to begin with; 0 means 16
	Max   int // most workers; 0 means 256
}

// A Sample says what workers did in some time.
type Sample struct {
	Elapsed time.Duration
	Work    float64 // done meanwhile, in units of Work
	Busy    int     // workers that had work, in the mean
	Asked   int     // workers that Next had asked for
}

// Work returns files and bytes as one number: a file is a unit of work, and so
// is each 64 KiB. That is about what a file costs beside its bytes.
func Work(files, bytes int64) float64 {
	return float64(files) + float64(bytes)/(64<<10)
}

// A Climber finds the number of workers that gets the most done. It belongs to
// one goroutine.
type Climber struct {
	start, max int

	state    state
	base     int     // the best number known
	baseRate float64 // of its last sample; rates are logarithms of units of work a second
	usual    float64 // baseRate, smoothed
	odd      int     // samples in a row that depart from usual
	rest     time.Duration
	pause    time.Duration // the next rest

	contest
	collector
}

// A contest compares the base with a challenger, another number of workers.
type contest struct {
	trial     int     // the challenger
	trying    bool    // the challenger is at work, not the base
	trialRate float64 // of the challenger's last sample
	factor    int     // between the two numbers
	up        bool    // the challenger is the larger one
	lost      int     // directions that have lost at this factor
	lead      float64 // sum of the challenger's leads in this contest
	rounds    int     // number of them
}

// A collector adds up work until there is enough of it for a sample.
type collector struct {
	settling bool    // what is done still belongs to the number of workers before
	inFlight float64 // work to be done until that ends
	sofar    Sample
}

type state uint8

const (
	starting   state = iota // the rate of the base is not known
	contesting              // base and challenger work in turns
	resting                 // the base works
)

// NewClimber returns a Climber at the start.
func NewClimber(cfg ClimberConfig) *Climber {
	c := &Climber{start: cfg.Start, max: cfg.Max}
	if c.start <= 0 {
		c.start = defaultStart
	}
	if c.max <= 0 {
		c.max = defaultMax
	}
	c.start = min(c.start, c.max)
	c.search()
	c.settle(0)
	return c
}

// Next takes what was done since the last call and returns how many workers
// there should be, and after what time to call again. The first call's sample
// is empty. A sample says nothing, and is ignored, if it is not of the number
// that was asked for, if a fifth of the workers had nothing to do, or, until
// more is done, if hardly anything was.
func (c *Climber) Next(s Sample) (workers int, next time.Duration) {
	before := c.workers()
	if s.Elapsed > 0 && s.Asked == before {
		c.take(s)
	}
	if c.workers() != before {
		c.settle(before)
	}
	switch {
	case c.settling:
		return c.workers(), settleInterval
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

// settle ignores the work that the workers before had in hand, so that it is not counted for their successors.
func (c *Climber) settle(before int) {
	c.settling, c.inFlight = true, float64(before)
	c.sofar = Sample{}
}

// take collects work until it says something.
func (c *Climber) take(s Sample) {
	c.sofar.Elapsed += s.Elapsed
	c.sofar.Work += s.Work
	waited := c.sofar.Elapsed >= patience
	switch {
	case c.settling:
		if c.sofar.Work >= c.inFlight || waited {
			c.settling = false
			c.sofar = Sample{}
		}
	case s.Busy*5 < s.Asked*4, waited && c.sofar.Work < enough:
		c.sofar = Sample{}
		if c.trying {
			c.lose() // how well it would do is unknown, and does not matter
		}
	case c.sofar.Work >= enough:
		took := c.sofar.Elapsed
		rate := math.Log2(c.sofar.Work / took.Seconds())
		c.sofar = Sample{}
		c.evaluate(rate, took)
	}
}

// evaluate acts on the rate of the number of workers that is in use.
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

// search starts over.
func (c *Climber) search() {
	c.state = starting
	c.base, c.trying = c.start, false
	c.factor, c.lost = 4, 0
	c.odd, c.pause = 0, firstRest
}

// challenge begins a contest or, when both directions have lost to the base at every
// factor, a rest.
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

// compare adds one difference to the contest and ends it if that is enough.
// Base and challenger work in turns and each sample but the first is in two
// differences, so a drift that has nothing to do with them cancels out.
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

// win makes the challenger the base. The way back has lost already.
func (c *Climber) win() {
	c.base, c.baseRate, c.usual = c.trial, c.trialRate, c.trialRate
	c.trying = false
	c.lost, c.pause = 1, firstRest
	c.challenge()
}

// lose tries the other direction.
func (c *Climber) lose() {
	c.trying = false
	c.up = !c.up
	c.lost++
	c.challenge()
}

package bench

import (
	"math"
	"strconv"
)

// A tick is a value that an axis names.
type tick struct {
	value float64
	label string
}

// An axis maps values to pixels.
type axis struct {
	log      bool
	min, max float64 // values at the ends
	from, to float64 // pixels at the ends
	ticks    []tick
}

// at returns the pixel of a value.
func (a axis) at(value float64) float64 {
	share := 0.5
	switch {
	case a.min == a.max: // one value stands in the middle
	case a.log:
		share = math.Log(value/a.min) / math.Log(a.max/a.min)
	default:
		share = (value - a.min) / (a.max - a.min)
	}
	return a.from + share*(a.to-a.from)
}

// linearAxis returns an axis from 0 that ends with the first tick at or above most,
// with ticks at steps of 1, 2 or 5 times a power of ten.
func linearAxis(most, from, to float64) axis {
	const steps = 4
	step := math.Pow(10, math.Floor(math.Log10(most/steps)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if step*factor*steps >= most {
			step *= factor
			break
		}
	}
	a := axis{from: from, to: to}
	for i := 0; ; i++ {
		value := float64(i) * step
		a.ticks = append(a.ticks, tick{value, tickLabel(value)})
		if value >= most {
			a.max = value
			return a
		}
	}
}

// logAxis returns an axis whose ends are 1, 2 or 5 times a power of ten and include
// all values, which are positive, with ticks at such numbers, fewer if there are many.
func logAxis(values []float64, from, to float64) axis {
	least, most := values[0], values[0]
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	a := axis{log: true, from: from, to: to}
	for power := math.Floor(math.Log10(least)); ; power++ {
		for _, factor := range []float64{1, 2, 5} {
			value := factor * math.Pow(10, power)
			if value <= least*(1+1e-9) { // a better lower end than those before
				a.ticks = a.ticks[:0]
			}
			a.ticks = append(a.ticks, tick{value, tickLabel(value)})
			if value >= most*(1-1e-9) && len(a.ticks) > 1 {
				a.min, a.max = a.ticks[0].value, value
				return a
			}
		}
	}
}

// valueAxis returns a logarithmic axis that ends with the first and last of the
// values, which are positive and rise, and has a tick at each.
func valueAxis(values []float64, from, to float64) axis {
	a := axis{log: true, min: values[0], max: values[len(values)-1], from: from, to: to}
	for _, v := range values {
		a.ticks = append(a.ticks, tick{v, tickLabel(v)})
	}
	return a
}

// apart returns the ticks of which each has at least distance pixels to the one
// before; the rest would have labels that overlap.
func (a axis) apart(distance float64) []tick {
	var ticks []tick
	for _, t := range a.ticks {
		if n := len(ticks); n > 0 && math.Abs(a.at(t.value)-a.at(ticks[n-1].value)) < distance {
			continue
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// tickLabel renders a value without the noise of floating point.
func tickLabel(value float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 6, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

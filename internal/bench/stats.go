package bench

import (
	"slices"
	"time"
)

// median returns the middle of values, which are not empty.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// ratios divides each value by the base of the same round.
func ratios(values, base []float64) []float64 {
	all := make([]float64, len(values))
	for i := range values {
		all[i] = values[i] / base[i]
	}
	return all
}

// seconds returns one figure of each run in seconds.
func seconds(r *result, figure func(usage) time.Duration) []float64 {
	all := make([]float64, len(r.runs))
	for i, u := range r.runs {
		all[i] = figure(u).Seconds()
	}
	return all
}

// A spread summarizes a figure that was measured several times.
type spread struct {
	median, min, max float64
}

func spreadOf(values []float64) spread {
	return spread{median(values), slices.Min(values), slices.Max(values)}
}

// A summary summarizes a result, in seconds and bytes.
type summary struct {
	label   string
	psync   bool
	workers int
	keeps   string
	failure string // if not empty, there are no figures

	wall          spread
	ratio         spread // to the baseline in the same round; zero if there is none
	cpu           float64
	rss, rssFloor int64
}

// summarize returns a summary of each result, in the same order.
func summarize(results []*result, baseline string) []summary {
	var base *result
	if i := slices.IndexFunc(results, func(r *result) bool { return r.name == baseline }); i >= 0 {
		base = results[i]
	}
	summaries := make([]summary, len(results))
	for i, r := range results {
		summaries[i] = newSummary(r, base)
	}
	return summaries
}

func newSummary(r, base *result) summary {
	s := summary{label: r.label(), psync: r.name == psyncName, workers: r.workers, keeps: r.keeps}
	for i, kind := range r.lost {
		s.keeps += []string{", loses ", " and "}[min(i, 1)] + kind
	}
	if r.err != nil {
		s.failure = r.err.Error()
		return s
	}
	wall := seconds(r, usage.elapsed)
	s.wall = spreadOf(wall)
	s.cpu = median(seconds(r, usage.cpu))
	if base != nil && base.err == nil {
		s.ratio = spreadOf(ratios(wall, seconds(base, usage.elapsed)))
	}
	for _, u := range r.runs {
		s.rss, s.rssFloor = max(s.rss, u.rss), max(s.rssFloor, u.rssFloor)
	}
	return s
}

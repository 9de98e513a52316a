package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"psync/internal/bench/chart"
)

// panels returns a plot of each section: time against workers if psync was measured with several numbers,
// otherwise time against latency if there are several, otherwise bars.
func panels(sections []section) []chart.Panel {
	all := make([]chart.Panel, len(sections))
	for i, s := range sections {
		switch {
		case s.hasWorkers():
			all[i] = s.againstWorkers()
		case len(s.columns) > 1:
			all[i] = s.againstLatency()
		default:
			all[i] = s.asBars()
		}
		if len(all[i].Bars)+len(all[i].Lines) == 0 {
			all[i].Title += ": every tool failed"
		}
	}
	return all
}

func (s section) hasWorkers() bool {
	return slices.ContainsFunc(s.columns[0].tools, func(t summary) bool { return t.workers > 0 })
}

func (s section) asBars() chart.Panel {
	p := chart.Panel{Title: s.title(), XTitle: "median time (s) with range; shorter is better"}
	tools := s.columns[0].tools
	for _, i := range s.order() {
		t := tools[i]
		if t.failure != "" {
			continue
		}
		name := fmt.Sprintf("%s: %.3f s", t.label, t.wall.median)
		if t.ratio.median > 0 {
			name += fmt.Sprintf(", × %.2f", t.ratio.median)
		}
		p.Bars = append(p.Bars, chart.Bar{Name: name, Median: t.wall.median, Min: t.wall.min, Max: t.wall.max})
	}
	if slices.ContainsFunc(tools, func(t summary) bool { return t.ratio.median > 0 }) {
		p.XTitle = fmt.Sprintf("median time (s) with range, and × %s; shorter is better", s.baseline)
	}
	return p
}

func (s section) againstLatency() chart.Panel {
	p := chart.Panel{Title: s.title(), XTitle: "latency of an operation (ms)", YTitle: "median time (s)"}
	for _, i := range s.order() {
		l := chart.Line{Name: s.columns[0].tools[i].label}
		for _, c := range s.columns {
			if t := c.tools[i]; t.failure == "" {
				l.Points = append(l.Points, chart.Point{X: inMilliseconds(c.latency), Y: t.wall.median})
			}
		}
		p.Lines = appendLine(p.Lines, l)
	}
	return p
}

func (s section) againstWorkers() chart.Panel {
	p := chart.Panel{Title: s.title(), XTitle: "workers", YTitle: "median time (s)"}
	first, last := math.Inf(1), math.Inf(-1)
	for _, t := range s.columns[0].tools {
		if t.workers > 0 {
			first, last = min(first, float64(t.workers)), max(last, float64(t.workers))
		}
	}
	for _, c := range s.columns {
		workers := chart.Line{Name: s.labelled(psyncName, c.latency)}
		var others []chart.Line
		for _, i := range s.order() {
			t := c.tools[i]
			switch {
			case t.failure != "":
			case t.workers > 0:
				workers.Points = append(workers.Points, chart.Point{X: float64(t.workers), Y: t.wall.median})
			default:
				others = append(others, chart.Line{
					Name:   s.labelled(t.label, c.latency),
					Points: []chart.Point{{X: first, Y: t.wall.median}, {X: last, Y: t.wall.median}},
					Flat:   true,
				})
			}
		}
		p.Lines = appendLine(p.Lines, workers)
		p.Lines = append(p.Lines, others...)
	}
	return p
}

// labelled returns the label of a line, with its latency if there are several.
func (s section) labelled(tool string, latency time.Duration) string {
	if len(s.columns) == 1 {
		return tool
	}
	return tool + ", " + milliseconds(latency)
}

// appendLine appends a line, unless its tool always failed.
func appendLine(lines []chart.Line, l chart.Line) []chart.Line {
	if len(l.Points) == 0 {
		return lines
	}
	return append(lines, l)
}

package bench

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A panel is one plot of several in an image: bars, or lines.
type panel struct {
	title  string
	xTitle string
	yTitle string // of lines
	bars   []bar
	lines  []line
}

// A bar is the time of one tool, in seconds.
type bar struct {
	tool string
	time spread
	note string // behind the time
}

// A line is the time of one tool against something else. One that has no choice in
// it is flat.
type line struct {
	tool   string
	points []point
	flat   bool
}

type point struct{ x, y float64 }

// panels returns a plot of each section: time against workers if psync was measured
// with several numbers of them, else against latency if there are several, else bars.
func panels(sections []section) []panel {
	var all []panel
	for _, s := range sections {
		switch {
		case s.hasWorkers():
			all = append(all, s.againstWorkers())
		case len(s.columns) > 1:
			all = append(all, s.againstLatency())
		default:
			all = append(all, s.asBars())
		}
	}
	return all
}

func (s section) hasWorkers() bool {
	return slices.ContainsFunc(s.columns[0].tools, func(t summary) bool { return t.workers > 0 })
}

func (s section) asBars() panel {
	p := panel{title: s.title(), xTitle: "median time (s) with range; shorter is better"}
	tools := s.columns[0].tools
	for _, i := range s.order() {
		t := tools[i]
		if t.failure != "" {
			continue
		}
		b := bar{tool: t.label, time: t.wall, note: number(t.wall.median) + " s"}
		if t.ratio.median > 0 {
			b.note += fmt.Sprintf(", × %.2f", t.ratio.median)
		}
		p.bars = append(p.bars, b)
	}
	if slices.ContainsFunc(tools, func(t summary) bool { return t.ratio.median > 0 }) {
		p.xTitle = fmt.Sprintf("median time (s) with range, and × %s; shorter is better", s.kind.baseline())
	}
	return p
}

func (s section) againstLatency() panel {
	p := panel{title: s.title(), xTitle: "latency of an operation (ms)", yTitle: "median time (s)"}
	for _, i := range s.order() {
		l := line{tool: s.columns[0].tools[i].label}
		for _, c := range s.columns {
			if t := c.tools[i]; t.failure == "" {
				l.points = append(l.points, point{inMilliseconds(c.latency), t.wall.median})
			}
		}
		p.lines = appendLine(p.lines, l)
	}
	return p
}

func (s section) againstWorkers() panel {
	p := panel{title: s.title(), xTitle: "workers", yTitle: "median time (s)"}
	first, last := math.Inf(1), math.Inf(-1)
	for _, t := range s.columns[0].tools {
		if t.workers > 0 {
			first, last = min(first, float64(t.workers)), max(last, float64(t.workers))
		}
	}
	for _, c := range s.columns {
		workers := line{tool: s.labelled(psyncName, c.latency)}
		var others []line
		for _, i := range s.order() {
			t := c.tools[i]
			switch {
			case t.failure != "":
			case t.workers > 0:
				workers.points = append(workers.points, point{float64(t.workers), t.wall.median})
			default:
				others = append(others, line{
					tool:   s.labelled(t.label, c.latency),
					points: []point{{first, t.wall.median}, {last, t.wall.median}},
					flat:   true,
				})
			}
		}
		p.lines = appendLine(p.lines, workers)
		p.lines = append(p.lines, others...)
	}
	return p
}

// labelled names a line, by its latency too if there are several.
func (s section) labelled(tool string, latency time.Duration) string {
	if len(s.columns) == 1 {
		return tool
	}
	return tool + ", " + milliseconds(latency)
}

// appendLine leaves out lines of tools that always failed.
func appendLine(lines []line, l line) []line {
	if len(l.points) == 0 {
		return lines
	}
	return append(lines, l)
}

// number renders a figure with three digits that count, without an exponent.
func number(f float64) string {
	digits := 0
	if f > 0 {
		digits = max(0, 2-int(math.Floor(math.Log10(f))))
	}
	return fmt.Sprintf("%.*f", min(digits, 6), f)
}

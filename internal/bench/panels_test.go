package bench

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"psync/internal/bench/chart"
)

// describe renders what a panel shows, in short.
func describe(p chart.Panel) string {
	var b strings.Builder
	for _, r := range p.Bars {
		fmt.Fprintf(&b, "%s, range %v to %v\n", r.Name, r.Min, r.Max)
	}
	for _, l := range p.Lines {
		fmt.Fprintf(&b, "%s: %v", l.Name, l.Points)
		if l.Flat {
			b.WriteString(" flat")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestPanels(t *testing.T) {
	cp, one, four := peer{name: "cp -r"}, peer{name: "psync", workers: 1}, peer{name: "psync", workers: 4}
	near := []*result{{peer: four, runs: runsOf(1, 250)}, {peer: cp, runs: runsOf(1, 1000)}, {peer: one, runs: runsOf(1, 500)}}
	far := []*result{{peer: four, runs: runsOf(1, 2500)}, {peer: cp, err: errors.New("killed")}, {peer: one, runs: runsOf(1, 5000)}}
	for name, tt := range map[string]struct {
		section section
		want    string
	}{
		"tools": {sectionOf(copying, []time.Duration{0}, []*result{
			{peer: peer{name: "psync"}, runs: runsOf(1, 500)},
			{peer: peer{name: "broken"}, err: errors.New("killed")},
			{peer: cp, runs: runsOf(1, 1000)},
		}), "psync: 0.500 s, × 0.50, range 0.5 to 0.5\ncp -r: 1.000 s, × 1.00, range 1 to 1\n"},
		"workers": {
			sectionOf(copying, []time.Duration{0}, near),
			"psync: [{1 0.5} {4 0.25}]\ncp -r: [{1 1} {4 1}] flat\n",
		},
		"workers and latency": {
			sectionOf(copying, []time.Duration{1e6, 5e6}, near, far),
			"psync, 1 ms: [{1 0.5} {4 0.25}]\ncp -r, 1 ms: [{1 1} {4 1}] flat\npsync, 5 ms: [{1 5} {4 2.5}]\n",
		},
		"latency": {
			sectionOf(copying, []time.Duration{1e6, 5e6}, near[1:2], far[:1]),
			"cp -r: [{1 1} {5 2.5}]\n",
		},
		"latency, failed there": {
			sectionOf(copying, []time.Duration{1e6, 5e6}, near[1:2], far[1:2]),
			"cp -r: [{1 1}]\n",
		},
	} {
		if got := describe(panels([]section{tt.section})[0]); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, tt.want)
		}
	}
}

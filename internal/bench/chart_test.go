package bench

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// describe renders what a panel shows, in short.
func describe(p panel) string {
	var b strings.Builder
	for _, r := range p.bars {
		fmt.Fprintf(&b, "%s: %s\n", r.tool, r.note)
	}
	for _, l := range p.lines {
		fmt.Fprintf(&b, "%s: %v", l.tool, l.points)
		if l.flat {
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
		}), "psync: 0.500 s, × 0.50\ncp -r: 1.00 s, × 1.00\n"},
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

func TestNumber(t *testing.T) {
	for value, want := range map[float64]string{0.02346: "0.0235", 0.5: "0.500", 1.5: "1.50", 12.34: "12.3", 1234: "1234", 0: "0"} {
		if got := number(value); got != want {
			t.Errorf("%v: got %s, want %s", value, got, want)
		}
	}
}

func TestPlotIsAnImageWithAllTexts(t *testing.T) {
	bars := panel{title: "a <b> & c", xTitle: "time (s)", bars: []bar{
		{tool: "psync", time: spread{0.5, 0.4, 0.6}, note: "0.500 s"},
		{tool: "a<b", time: spread{1, 0.9, 1.2}, note: "1.00 s"},
	}}
	lines := panel{title: "lines", xTitle: "workers", yTitle: "seconds", lines: []line{
		{tool: "psync", points: []point{{1, 8}, {2, 4}, {128, 0.5}}},
		{tool: "rsync -a", points: []point{{1, 9}, {128, 9}}, flat: true},
	}}
	image := plot([]panel{bars, lines, {title: "nothing"}})
	texts := imageTexts(t, string(image))
	for _, want := range []string{
		"a <b> & c", "time (s)", "psync", "a<b", "0.500 s", "lines", "workers", "seconds", "128", "10", "0.5",
		"rsync -a", "nothing", "every tool failed",
	} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is missing among %q", want, texts)
		}
	}
	if n := strings.Count(string(image), `fill="`+palette[0]+`"`); n != 1+3 {
		t.Errorf("psync has its colour %d times, want a bar and three dots", n)
	}
}

// imageTexts returns the texts of an image, which has to be well-formed.
func imageTexts(t *testing.T, image string) []string {
	t.Helper()
	var texts []string
	decoder, inText := xml.NewDecoder(strings.NewReader(image)), false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, image)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				texts = append(texts, string(token))
			}
		}
	}
}

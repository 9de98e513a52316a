package page

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"psync/internal/ui"
)

// A view is what a page shows.
type view struct {
	*Digest
	Last      *Run // which the verdict is about
	Failing   *Run // the last that did something, or compared
	Verdict   verdict
	NextPass  string
	Cards     []card
	RunCount  int64
	Rows      []row // if there are several runs
	Shown     []*runView
	Sizes     chart
	Slowest   []slowDir
	EventSums []eventSum
	OlderRuns int
	NotAsked  []eventSum
}

// A row is a run in the table of runs.
type row struct {
	*Run
	End   string
	Share float64 // of the time of the longest run, in percent
}

// A runView is a run with its charts, if it took long enough for some.
type runView struct {
	*Run
	Balance     string
	Charts      []chart
	HasFailures bool // which are not those that the page begins with
}

type slowDir struct {
	Path    string
	Seconds float64
	Sum
}

type eventSum struct {
	Name string
	Sum
}

func (d *Digest) view() *view {
	last := d.Runs[len(d.Runs)-1]
	v := &view{
		Digest: d, Last: last, Failing: last, RunCount: int64(len(d.Runs)), Verdict: last.verdict(), NextPass: nextPass(d.Runs),
		Cards: last.cards(), Sizes: histogram(&d.Sizes), Slowest: d.slowest(),
	}
	for _, run := range slices.Backward(d.Runs) {
		if run.Kind() != dryRun {
			v.Failing = run
			break
		}
	}
	if s := v.Failing.Summary; s != nil {
		for _, name := range slices.Sorted(maps.Keys(s.NotAsked)) {
			if n := s.NotAsked[name]; n > 0 {
				v.NotAsked = append(v.NotAsked, eventSum{strings.ReplaceAll(name, "_", " "), Sum{Count: n}})
			}
		}
	}
	shown := d.Runs[max(0, len(d.Runs)-maxRuns):]
	v.OlderRuns = len(d.Runs) - len(shown)
	if len(shown) > 1 {
		v.Rows = rows(shown)
	}
	for _, run := range shown {
		v.Shown = append(v.Shown, &runView{run, run.balance(), run.charts(), run != v.Failing && run.Failed() > 0})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Events)) {
		v.EventSums = append(v.EventSums, eventSum{name, *d.Events[name]})
	}
	return v
}

// rows returns the table of runs.
func rows(runs []*Run) []row {
	longest := 0.0
	for _, run := range runs {
		longest = max(longest, run.Seconds())
	}
	var all []row
	for _, run := range runs {
		share := 0.0
		if longest > 0 {
			share = 100 * run.Seconds() / longest
		}
		all = append(all, row{run, run.ending(), share})
	}
	return all
}

// charts returns the charts of the run: none if it has copied no files, or was over at once.
func (r *Run) charts() []chart {
	if r.Copied.Count == 0 || r.Seconds() < minCharted {
		return nil
	}
	return []chart{
		overTime("Throughput", &r.Times, func(s Sum) int64 { return s.Bytes }, func(f float64) string { return ui.Size(int64(f)) + "/s" }),
		overTime("Files a second", &r.Times, func(s Sum) int64 { return s.Count }, func(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }),
	}
}

// slowest returns the directories whose files took longest, from the first to the last, and a second at least.
func (d *Digest) slowest() []slowDir {
	var list []slowDir
	for dir, t := range d.dirs {
		if t.last-t.first < minCharted {
			continue
		}
		list = append(list, slowDir{dir, t.last - t.first, t.sum})
	}
	slices.SortFunc(list, func(a, b slowDir) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Path, b.Path))
	})
	return list[:min(len(list), maxDirs)]
}

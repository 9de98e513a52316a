package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"psync/internal/ui"
)

//go:embed page.tmpl
var text string

// A view is what the template shows.
type view struct {
	*Digest
	Totals    totals
	Verdict   string
	Good      bool
	Charts    []*runCharts
	Sizes     chart
	Slowest   []slowDir
	EventSums []eventSum
	OlderRuns int
	DryRuns   bool // there are some among the runs
	NotAsked  []eventSum
}

// totals are the sums over the summaries of all runs.
type totals struct {
	Found, Copied, Unchanged, Skipped, Failed, Unfinished int64
	Deleted, BytesCopied                                  int64
}

// runCharts are the charts of a run.
type runCharts struct {
	*Run
	Throughput, Files chart
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

// Write writes the page.
func (d *Digest) Write(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"count": ui.Count, "size": ui.Size, "seconds": seconds,
		"when":   func(t time.Time) string { return t.Format("2006-01-02 15:04:05 -07:00") },
		"line":   commandLine,
		"lacks":  lacks,
		"coord":  func(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) },
		"pretty": func(b []byte) string { return string(b) },
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, d.view())
}

func (d *Digest) view() *view {
	v := &view{Digest: d, Sizes: histogram(&d.Sizes)}
	notAsked := make(map[string]int64)
	for _, run := range d.Runs {
		v.DryRuns = v.DryRuns || run.Start.DryRun
		if s := run.Summary; s != nil && !run.Start.DryRun {
			v.Totals.add(s)
			for name, n := range s.NotAsked {
				notAsked[name] += n
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(notAsked)) {
		if notAsked[name] > 0 {
			v.NotAsked = append(v.NotAsked, eventSum{name, Sum{Count: notAsked[name]}})
		}
	}
	shown := d.Runs[max(0, len(d.Runs)-mostRuns):]
	v.OlderRuns = len(d.Runs) - len(shown)
	for _, run := range shown {
		v.Charts = append(v.Charts, &runCharts{
			Run:        run,
			Throughput: overTime("Throughput", &run.Times, func(s Sum) int64 { return s.Bytes }, func(f float64) string { return ui.Size(int64(f)) + "/s" }),
			Files:      overTime("Files a second", &run.Times, func(s Sum) int64 { return s.Count }, func(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Events)) {
		v.EventSums = append(v.EventSums, eventSum{name, *d.Events[name]})
	}
	v.Slowest = d.slowest()
	v.Verdict, v.Good = d.verdict()
	return v
}

func (t *totals) add(s *Line) {
	t.Found += s.Found
	t.Copied += s.Copied
	t.Unchanged += s.Unchanged
	t.Skipped += s.Skipped
	t.Failed += s.Failed
	t.Unfinished += s.Unfinished
	t.Deleted += s.Deleted
	t.BytesCopied += s.BytesCopied
}

// verdict says how the last run ended, and whether that is well.
func (d *Digest) verdict() (text string, good bool) {
	last := d.Runs[len(d.Runs)-1]
	switch s := last.Summary; {
	case s == nil:
		return "The log has no end: the last run was killed, or goes on.", false
	case s.Interrupted:
		return "The last run was interrupted.", false
	case s.Exit == 0 && last.Start.Verb == "compare":
		return "The last run was a comparison, and the trees are equal.", true
	case s.Exit == 1 && last.Start.Verb == "compare":
		return "The last run was a comparison, and the trees differ.", false
	case s.Exit == 0 && last.Start.DryRun:
		return "The last run was a dry run: nothing was done.", false
	case s.Exit == 0:
		return "The last run succeeded: everything that was found is copied or current, or was left out as asked for.", true
	case s.Error != "":
		return fmt.Sprintf("The last run ended early: %s (exit status %d).", s.Error, s.Exit), false
	default:
		return fmt.Sprintf("The last run ended with exit status %d.", s.Exit), false
	}
}

// slowest returns the directories whose files took longest, from the first to the last.
func (d *Digest) slowest() []slowDir {
	var list []slowDir
	for dir, t := range d.dirs {
		list = append(list, slowDir{dir, t.last - t.first, t.sum})
	}
	slices.SortFunc(list, func(a, b slowDir) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Path, b.Path))
	})
	return list[:min(len(list), mostDirs)]
}

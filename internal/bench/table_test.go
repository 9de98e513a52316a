package bench

import (
	"errors"
	"testing"
	"time"
)

// runsOf returns runs of so many milliseconds, half of them on the processor.
func runsOf(rss int64, wall ...time.Duration) []usage {
	var runs []usage
	for _, w := range wall {
		w *= time.Millisecond
		runs = append(runs, usage{wall: w, user: w / 4, system: w / 4, rss: rss << 20, rssFloor: 3 << 20})
	}
	return runs
}

// sectionOf returns a section with one column for each latency.
func sectionOf(k kind, latencies []time.Duration, columns ...[]*result) section {
	s := section{workload: "tiny", about: "a tree: 3 files", kind: k, baseline: k.baseline()}
	for i, results := range columns {
		s.columns = append(s.columns, column{latencies[i], summarize(results, k.baseline())})
	}
	return s
}

func TestTableOfFigures(t *testing.T) {
	results := []*result{
		{peer: peer{name: "broken", keeps: "?"}, err: errors.New("exit status 1: a|b\nc")},
		{peer: peer{name: "cp -r", keeps: "no times"}, runs: runsOf(2, 1000, 2000, 4000)},
		{peer: peer{name: "fast", keeps: "times"}, runs: runsOf(10, 500, 600, 1000), lost: []string{"links", "directories"}},
		{peer: peer{name: "psync", workers: 16, keeps: "times"}, runs: runsOf(8, 500, 500, 500)},
		{peer: peer{name: "psync", workers: 2, keeps: "times"}, runs: runsOf(8, 1000, 1000, 3000)},
	}
	want := `**tiny, copy**: a tree: 3 files. The tree is copied to a new place.

| tool | keeps | median s | × cp -r | min–max | CPU s | peak RSS MiB |
|:--|:--|--:|--:|--:|--:|--:|
| psync -j 2 | times | 1.000 | 0.75 | 0.50–1.00 | 0.50 | 8.0 |
| psync -j 16 | times | 0.500 | 0.25 | 0.12–0.50 | 0.25 | 8.0 |
| fast | times, loses links and directories | 0.600 | 0.30 | 0.25–0.50 | 0.30 | 10.0 |
| cp -r | no times | 2.000 | 1.00 | 1.00–1.00 | 1.00 | ≤ 3.0 |
| broken | ? | failed: exit status 1: a\|b c |  |  |  |  |

`
	if got := sectionOf(copying, []time.Duration{0}, results).markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableOfDeletesSaysNothingOfWhatIsKept(t *testing.T) {
	results := []*result{
		{peer: peer{name: "rm -rf", keeps: "nothing"}, runs: runsOf(2, 1000)},
		{peer: peer{name: "fast", keeps: "?"}, runs: runsOf(8, 500)},
	}
	want := `**tiny, delete, 0.2 ms**: a tree: 3 files. A copy is deleted.

| tool | median s | × rm -rf | min–max | CPU s | peak RSS MiB |
|:--|--:|--:|--:|--:|--:|
| fast | 0.500 | 0.50 | 0.50–0.50 | 0.25 | 8.0 |
| rm -rf | 1.000 | 1.00 | 1.00–1.00 | 0.50 | ≤ 3.0 |

`
	if got := sectionOf(deleting, []time.Duration{200 * time.Microsecond}, results).markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableByLatency(t *testing.T) {
	rsync, fast, other := peer{name: "rsync -a", keeps: "all"}, peer{name: "fast", keeps: "?"}, peer{name: "other", keeps: "?"}
	near := []*result{{peer: rsync, runs: runsOf(2, 1000, 1000)}, {peer: fast, runs: runsOf(8, 500, 600)}, {peer: other, runs: runsOf(8, 1, 1)}}
	far := []*result{{peer: rsync, runs: runsOf(2, 8000, 8000)}, {peer: fast, runs: runsOf(8, 2000, 2000)}, {peer: other, err: errors.New("killed")}}
	want := `**tiny, noop**: a tree: 3 files. A sync finds nothing to do.

| tool | 1 ms: s | × rsync -a | 5 ms: s | × rsync -a |
|:--|--:|--:|--:|--:|
| fast | 0.550 | 0.55 (0.50–0.60) | 2.000 | 0.25 (0.25–0.25) |
| rsync -a | 1.000 | 1.00 (1.00–1.00) | 8.000 | 1.00 (1.00–1.00) |
| other | 0.001 | 0.00 (0.00–0.00) | failed: killed |  |

`
	got := sectionOf(noop, []time.Duration{time.Millisecond, 5 * time.Millisecond}, near, far).markdown()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableWithoutBaselineHasNoRatios(t *testing.T) {
	fast := &result{peer: peer{name: "fast", keeps: "times"}, runs: runsOf(10, 500)}
	want := `**tiny, copy**: a tree: 3 files. The tree is copied to a new place.

| tool | keeps | median s | CPU s | peak RSS MiB |
|:--|:--|--:|--:|--:|
| fast | times | 0.500 | 0.25 | 10.0 |

`
	if got := sectionOf(copying, []time.Duration{0}, []*result{fast}).markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

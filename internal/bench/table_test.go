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

func TestTable(t *testing.T) {
	results := []*result{
		{peer: peer{name: "broken", keeps: "?"}, err: errors.New("exit status 1: a|b\nc")},
		{peer: peer{name: "cp -r", keeps: "no times"}, runs: runsOf(2, 1000, 2000, 4000)},
		{peer: peer{name: "fast", keeps: "times"}, runs: runsOf(10, 500, 600, 1000), lost: []string{"links", "directories"}},
		{peer: peer{name: "psync", keeps: "times"}, runs: runsOf(8, 1000, 1000, 3000)},
	}
	want := `| tool | keeps | median s | min–max s | × cp -r | CPU s | peak RSS MiB |
|:--|:--|--:|--:|--:|--:|--:|
| psync | times | 1.000 | 1.000–3.000 | 0.75 | 0.50 | 8.0 |
| fast | times, loses links and directories | 0.600 | 0.500–1.000 | 0.30 | 0.30 | 10.0 |
| cp -r | no times | 2.000 | 1.000–4.000 | 1.00 | 1.00 | ≤ 3.0 |
| broken | ? | failed: exit status 1: a\|b c | | | | |
`
	if got := table(results); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableWithoutBaseline(t *testing.T) {
	for name, results := range map[string][]*result{
		"missing": {{peer: peer{name: "fast", keeps: "times"}, runs: runsOf(10, 500)}},
		"failed": {
			{peer: peer{name: "fast", keeps: "times"}, runs: runsOf(10, 500)},
			{peer: peer{name: "cp -r", keeps: "no times"}, err: errors.New("killed"), runs: runsOf(2, 100)},
		},
	} {
		checkRows(t, table(results), map[string]string{"fast": "| 0.500–0.500 | – | 0.25 |"})
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 9, 1, 2}, 3},
	} {
		if got := median(tt.values); got != tt.want {
			t.Errorf("median(%v) = %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestShellLine(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"psync", "-j", "4", "/a/b.c"}, "psync -j 4 /a/b.c"},
		{[]string{"-peer", "x=x {src} {dst}", ""}, "-peer 'x=x {src} {dst}' ''"},
		{[]string{"it's"}, `'it'\''s'`},
		{[]string{"a b"}, "'a b'"},
		{[]string{"a$b"}, "'a$b'"},
	} {
		if got := shellLine(tt.words); got != tt.want {
			t.Errorf("shellLine(%q) = %s, want %s", tt.words, got, tt.want)
		}
	}
}

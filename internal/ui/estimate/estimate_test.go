package estimate

import (
	"testing"
	"time"

	"psync/internal/report"
)

const (
	mib         = 1 << 20
	sampleEvery = 200 * time.Millisecond // as the display does
)

// A tick is one sample: the totals after some seconds.
type tick struct {
	at     int // seconds
	files  int64
	bytes  int64
	others int64 // directories made
}

// after returns the status after the ticks.
func after(ticks []tick, total Amount, known bool) Status {
	var e Estimator
	last := 0
	var before report.Totals
	for _, k := range ticks {
		now := report.Totals{report.FilesCopied: k.files, report.BytesCopied: k.bytes, report.DirsMade: k.others}
		progress(&e, last, k.at, before, now)
		last, before = k.at, now
	}
	return e.Status(total, known)
}

// progress adds samples of each second in which the totals grow steadily, but not that of the first second.
func progress(e *Estimator, from, to int, before, now report.Totals) {
	if from == to {
		e.Add(time.Duration(to)*time.Second, now, true)
	}
	for at := from + 1; at <= to; at++ {
		t := before
		for i := range t {
			t[i] += (now[i] - before[i]) * int64(at-from) / int64(to-from)
		}
		e.Add(time.Duration(at)*time.Second, t, true)
	}
}

func TestEstimates(t *testing.T) {
	const s = time.Second
	total := Amount{Files: 100, Bytes: 100 * mib}
	tests := []struct {
		what    string
		ticks   []tick
		rate    int64
		left    time.Duration
		stalled time.Duration
	}{
		{"at the start", []tick{{0, 0, 0, 0}}, 0, 0, 0},
		{"steady", []tick{{0, 0, 0, 0}, {1, 10, 10 * mib, 0}}, 10 * mib, 9 * s, 0},
		{"more bytes than files", []tick{{0, 0, 0, 0}, {1, 2, 10 * mib, 0}}, 10 * mib, 29 * s, 0},
		{"more files than bytes", []tick{{0, 0, 0, 0}, {1, 10, 4 * mib, 0}}, 4 * mib, 33 * s / 2, 0},
		{"one large file", []tick{{0, 5, 0, 0}, {10, 5, 50 * mib, 0}}, 5 * mib, 10 * s, 0},
		{"empty files only", []tick{{0, 0, mib, 0}, {2, 20, mib, 0}}, 0, 8 * s, 0},
		{"bytes all done", []tick{{0, 0, 0, 0}, {10, 50, 100 * mib, 0}}, 10 * mib, 5 * s, 0},
		{"everything done", []tick{{0, 0, 0, 0}, {10, 100, 100 * mib, 0}}, 10 * mib, 0, 0},
		{"more than was expected", []tick{{0, 0, 0, 0}, {10, 120, 200 * mib, 0}}, 20 * mib, 0, 0},
		{"the past counts less", []tick{{0, 0, 0, 0}, {10, 50, 50 * mib, 0}, {20, 60, 60 * mib, 0}}, mib, 275 * s / 10, 0},
		{"directories only", []tick{{0, 0, 0, 0}, {3, 0, 0, 10}, {6, 0, 0, 20}}, 0, 0, 0},
		{"still for a moment", []tick{{0, 0, 0, 0}, {1, 50, 50 * mib, 0}, {5, 50, 50 * mib, 0}}, 10 * mib, 84 * s / 10, 0},
		{"stalled", []tick{{0, 0, 0, 0}, {1, 50, 50 * mib, 0}, {6, 50, 50 * mib, 0}}, 0, 0, 5 * s},
		{"stalled for long", []tick{{0, 0, 0, 0}, {1, 50, 50 * mib, 0}, {11, 50, 50 * mib, 0}, {21, 50, 50 * mib, 0}}, 0, 0, 20 * s},
		{"stalled from the start", []tick{{0, 0, 0, 0}, {12, 0, 0, 0}}, 0, 0, 12 * s},
		{"going on after a stall", []tick{{0, 0, 0, 0}, {12, 0, 0, 0}, {13, 1, 0, 0}, {22, 50, 50 * mib, 0}}, 5 * mib, 9 * s, 0},
		{"no end in sight", []tick{{0, 0, 0, 0}, {10, 0, 1, 0}}, 0, 0, 0},
		{"a file begun again", []tick{{0, 0, 50 * mib, 0}, {10, 0, 40 * mib, 0}}, 0, 0, 0},
	}
	for _, test := range tests {
		got := after(test.ticks, total, true)
		if got.Rate != test.rate || got.Left.Round(s/10) != test.left || got.Stalled != test.stalled {
			t.Errorf("%s: rate %d, left %v, stalled %v; want %d, %v, %v", test.what,
				got.Rate, got.Left, got.Stalled, test.rate, test.left, test.stalled)
		}
	}
}

// A sync copies little of what it handles.
func TestEstimatesWhereFilesAreCurrent(t *testing.T) {
	const s = time.Second
	type tick struct {
		at               int // seconds
		copied, kept     int64
		copiedMB, keptMB int64
		leftMB           int64 // of files in hand
	}
	total := Amount{Files: 1000, Bytes: 1000 * mib}
	tests := []struct {
		what  string
		ticks []tick
		done  Amount
		rate  int64
		left  time.Duration
	}{
		{"all current", []tick{{}, {10, 0, 500, 0, 500, 0}}, Amount{500, 500 * mib}, 0, 10 * s},
		{
			"all current, and what is left is large",
			[]tick{{}, {10, 0, 500, 0, 1, 0}},
			Amount{500, mib},
			0, 10 * s,
		},
		{
			"a large one is current, many small ones are left",
			[]tick{{}, {10, 0, 10, 0, 999, 0}},
			Amount{10, 999 * mib},
			0, 990 * s,
		},
		{
			"half of the bytes are copied",
			[]tick{{}, {10, 100, 100, 100, 100, 0}},
			Amount{200, 200 * mib},
			10 * mib, 40 * s,
		},
		{
			"few bytes are copied, and as few are expected of the rest",
			[]tick{{}, {10, 1, 499, 1, 499, 0}},
			Amount{500, 500 * mib},
			mib / 10, 10 * s,
		},
		{
			"the last file is large, and those before were current",
			[]tick{{}, {10, 0, 999, 0, 100, 900}, {20, 0, 999, 100, 100, 800}},
			Amount{999, 200 * mib},
			10 * mib, 80 * s,
		},
		{"everything current", []tick{{}, {10, 0, 1000, 0, 1000, 0}}, total, 0, 0},
	}
	for _, test := range tests {
		var e Estimator
		last := 0
		var before report.Totals
		for _, k := range test.ticks {
			now := report.Totals{
				report.FilesCopied: k.copied, report.FilesKept: k.kept, report.BytesLeft: k.leftMB * mib,
				report.BytesCopied: k.copiedMB * mib, report.BytesKept: k.keptMB * mib,
			}
			progress(&e, last, k.at, before, now)
			last, before = k.at, now
		}
		got := e.Status(total, true)
		if got.Done != test.done || got.Rate != test.rate || got.Left.Round(s/10) != test.left {
			t.Errorf("%s: done %v, rate %d, left %v; want %v, %d, %v", test.what,
				got.Done, got.Rate, got.Left, test.done, test.rate, test.left)
		}
	}
}

func TestRateOfARemovalCountsEntries(t *testing.T) {
	e := Estimator{Removal: true}
	e.Add(0, report.Totals{}, false)
	e.Add(2*time.Second, report.Totals{
		report.FilesDeleted: 10, report.DirsDeleted: 5, report.LinksDeleted: 3, report.SpecialsDeleted: 2, report.Failed: 9,
	}, false)
	want := Status{Done: Amount{Files: 20}, Rate: 10, Removal: true, Elapsed: 2 * time.Second}
	if got := e.Status(Amount{}, false); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestNothingIsEstimatedFromALowerBound(t *testing.T) {
	got := after([]tick{{0, 0, 0, 0}, {1, 10, 10 * mib, 0}}, Amount{100, 100 * mib}, false)
	if got.Left != 0 {
		t.Errorf("left %v, want none", got.Left)
	}
	if got.Rate != 10*mib {
		t.Errorf("rate %d, want %d", got.Rate, 10*mib)
	}
}

func TestFilesThatWereNotCopiedHadTheirTurn(t *testing.T) {
	got := handled(report.Totals{
		report.FilesCopied: 5, report.FilesKept: 10, report.HardLinked: 4, report.Failed: 2, report.Vanished: 1,
		report.BytesCopied: 9, report.BytesKept: 20,
	})
	if want := (Amount{22, 29}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestShare(t *testing.T) {
	tests := []struct {
		what        string
		done, total Amount
		left        time.Duration // 10 s have passed
		want        float64
	}{
		{"nothing yet", Amount{0, 0}, Amount{10, 10}, 0, 0},
		{"large files in hand", Amount{0, 9}, Amount{3, 10}, 10 * time.Second, 0.5},
		{"small files in hand", Amount{2, 1}, Amount{10, 10}, 30 * time.Second, 0.25},
		{"the last moment", Amount{9, 9}, Amount{10, 10}, time.Nanosecond, 0.9999},
		{"half", Amount{5, 5}, Amount{10, 10}, 0, 0.5},
		{"fewer files", Amount{2, 8}, Amount{10, 10}, 0, 0.2},
		{"fewer bytes", Amount{8, 2}, Amount{10, 10}, 0, 0.2},
		{"empty files", Amount{5, 0}, Amount{10, 0}, 0, 0.5},
		{"never all of it", Amount{10, 10}, Amount{10, 10}, 0, 0.9999},
		{"nothing to do", Amount{}, Amount{}, 0, 0.9999},
		{"negative", Amount{0, -1}, Amount{1, 10}, 0, 0},
	}
	for _, test := range tests {
		if got := (Status{Done: test.done, Total: test.total, Elapsed: 10 * time.Second, Left: test.left}).Share(); got != test.want {
			t.Errorf("%s: got %v, want %v", test.what, got, test.want)
		}
	}
}

func TestMemoryIsOneWindow(t *testing.T) {
	var e Estimator
	for at := range 3600 * 5 {
		e.Add(time.Duration(at)*sampleEvery, report.Totals{}, true)
	}
	if n, limit := len(e.samples), int(window/sampleEvery)+1; n > limit {
		t.Errorf("%d samples are kept, want at most %d", n, limit)
	}
}

package inhand

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/report"
)

const mib = 1 << 20

// A transfer is a file that is copied at a steady rate.
type transfer struct {
	path       string
	begin, end int // seconds of the run
	size       int64
}

// play returns what is shown after each second of a run.
func play(transfers []transfer, seconds int) []string {
	var t Tracker
	var seen []string
	running := make([]*report.Transfer, len(transfers))
	for at := range seconds + 1 {
		var hand []report.InHand
		for i, f := range transfers {
			switch {
			case at == f.begin:
				running[i] = &report.Transfer{Size: f.size}
			case at > f.begin && at <= f.end:
				running[i].Add(f.size / int64(f.end-f.begin))
			}
			if at >= f.begin && at < f.end {
				hand = append(hand, report.InHand{Path: f.path, Transfer: running[i]})
			}
		}
		t.Add(time.Duration(at)*time.Second, hand)
		var shown []string
		for _, f := range t.Shown() {
			shown = append(shown, fmt.Sprintf("%s %d/%d at %d", f.Path, f.Done/mib, f.Size/mib, f.Rate/mib))
		}
		seen = append(seen, strings.Join(shown, ", "))
	}
	return seen
}

func TestFilesThatTakeLongAreShown(t *testing.T) {
	tests := []struct {
		what      string
		transfers []transfer
		want      []string // after each second
	}{
		{
			"a file is shown after some seconds, until it is done",
			[]transfer{{"a", 0, 6, 60 * mib}},
			[]string{"", "", "", "a 30/60 at 10", "a 40/60 at 10", "a 50/60 at 10", ""},
		},
		{
			"one that will be done in a moment is not",
			[]transfer{{"a", 0, 4, 40 * mib}},
			[]string{"", "", "", "", ""},
		},
		{
			"of many, those that will take longest",
			[]transfer{{"a", 0, 6, 60 * mib}, {"b", 0, 9, 90 * mib}, {"c", 0, 7, 7 * mib}, {"d", 0, 8, 8 * mib}},
			[]string{"", "", "", "b 30/90 at 10, d 3/8 at 1, c 3/7 at 1", "b 40/90 at 10, d 4/8 at 1, c 4/7 at 1"},
		},
		{
			"one takes the place of another, and the rest keep theirs",
			[]transfer{{"a", 0, 5, 50 * mib}, {"b", 0, 9, 90 * mib}, {"c", 0, 9, 90 * mib}, {"d", 2, 20, 180 * mib}},
			[]string{
				"", "", "", "b 30/90 at 10, c 30/90 at 10, a 30/50 at 10", "b 40/90 at 10, c 40/90 at 10, a 40/50 at 10",
				"b 50/90 at 10, c 50/90 at 10, d 30/180 at 10",
			},
		},
		{
			"where none takes it, the others close up",
			[]transfer{{"a", 0, 9, 90 * mib}, {"b", 0, 6, 60 * mib}, {"c", 0, 5, 50 * mib}},
			[]string{
				"", "", "", "a 30/90 at 10, b 30/60 at 10, c 30/50 at 10", "a 40/90 at 10, b 40/60 at 10, c 40/50 at 10",
				"a 50/90 at 10, b 50/60 at 10", "a 60/90 at 10",
			},
		},
	}
	for _, test := range tests {
		if got := play(test.transfers, len(test.want)-1); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.what, got, test.want)
		}
	}
}

func TestRateIsThatOfTheLastSeconds(t *testing.T) {
	var tracker Tracker
	f := &report.Transfer{Size: 1000 * mib}
	for at := range 21 {
		switch {
		case at > 10:
			f.Add(mib)
		case at > 0:
			f.Add(20 * mib)
		}
		tracker.Add(time.Duration(at)*time.Second, []report.InHand{{Path: "f", Transfer: f}})
	}
	if got, want := tracker.Shown(), (File{"f", 1000 * mib, 210 * mib, mib}); len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := len(tracker.files[f].samples); n > int(window/time.Second)+1 {
		t.Errorf("%d samples are kept", n)
	}
}

// A stalled file takes longest of all, and one that is copied once more never has more than all its bytes.
func TestFilesThatStallOrBeginAgain(t *testing.T) {
	var tracker Tracker
	stalled, again := &report.Transfer{Size: 10 * mib}, &report.Transfer{Size: 10 * mib}
	for at := range 5 {
		again.Add(1 * mib)
		tracker.Add(time.Duration(at)*time.Second, []report.InHand{{Path: "again", Transfer: again}, {Path: "stalled", Transfer: stalled}})
	}
	again.Add(10 * mib)
	tracker.Add(5*time.Second, []report.InHand{{Path: "again", Transfer: again}, {Path: "stalled", Transfer: stalled}})
	want := []File{{"stalled", 10 * mib, 0, 0}, {"again", 10 * mib, 10 * mib, 9 * mib / 5}}
	if got := tracker.Shown(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package overview

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/queue"
	"psync/internal/report"
)

func TestFiguresOf(t *testing.T) {
	var totals report.Totals
	totals[report.FilesCopied], totals[report.FilesKept], totals[report.Failed] = 5, 7, 2
	totals[report.BytesCopied], totals[report.BytesKept], totals[report.DirsDeleted] = 100, 10, 3
	want := queue.Figures{Files: 14, Bytes: 110, Removed: 3, Failed: 2, Rate: 9}
	if got := FiguresOf(totals, 9); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestHanging(t *testing.T) {
	type inHand = map[string]int64
	var h Hanging
	for _, step := range []struct {
		at     time.Duration // in seconds
		inHand inHand
		want   string
	}{
		{0, inHand{"a": 0, "b": 0}, ""},
		{20, inHand{"a": 0, "b": 5, "c": 0}, ""},
		{30, inHand{"a": 0, "b": 5, "c": 0}, "a 30s"},
		{50, inHand{"a": 0, "b": 5, "c": 0}, "a 50s b 30s c 30s"},
		{60, inHand{"b": 6, "c": 0}, "c 40s"},
		{70, inHand{"a": 0, "b": 6, "c": 0}, "c 50s"},
		{95, inHand{}, ""},
		{100, inHand{"a": 0}, ""},
	} {
		var got []string
		for _, c := range h.Add(step.at*time.Second, step.inHand) {
			got = append(got, c.Path, c.For.String())
		}
		if strings.Join(got, " ") != step.want {
			t.Errorf("at %d: %s, want %s", step.at, got, step.want)
		}
	}
	many := make(inHand)
	for i := range 1000 {
		many[strings.Repeat("x", 1<<16)+fmt.Sprint(i)] = 0
	}
	h.Add(200*time.Second, many)
	calls := h.Add(300*time.Second, many)
	if err := (queue.Status{Hanging: calls}).Check(); err != nil || len(calls) != queue.MaxCalls {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	if i := slices.IndexFunc(calls, func(c queue.Call) bool { return len(c.Path) != maxPath }); i >= 0 {
		t.Errorf("a path of %d bytes", len(calls[i].Path))
	}
}

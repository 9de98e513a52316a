// Package inhand chooses which of the files that are being copied a progress display shows.
package inhand

import (
	"cmp"
	"slices"
	"time"

	"psync/internal/report"
)

const (
	most      = 3               // files shown at once
	longAfter = 3 * time.Second // a file that is copied for less time is not shown
	soonDone  = time.Second     // a file that will be done by then is not shown any more, unless it was before
	window    = 5 * time.Second // the period that the rate is computed from
)

// A File is a file that is being copied.
type File struct {
	Path       string
	Size, Done int64 // bytes
	Rate       int64 // bytes a second lately
}

// left returns how long the rest of f will take.
func (f *File) left() float64 {
	if f.Rate <= 0 {
		return float64(f.Size - f.Done) // a byte a second
	}
	return float64(f.Size-f.Done) / float64(f.Rate)
}

// A Tracker chooses up to three files that take longer than a few seconds: those that will take longest. A file that is
// shown keeps its place until it is done. A Tracker has no clock: all times are relative to the start of the run.
type Tracker struct {
	files map[*report.Transfer]*history
	shown []*history
}

// A history is what is known of a file.
type history struct {
	File
	since   time.Duration
	samples []sample // the recent ones, oldest first
	shown   bool
	inHand  bool // it was at the last sample
}

type sample struct {
	at   time.Duration
	done int64
}

// Add records which files are being copied at a point in time.
func (t *Tracker) Add(at time.Duration, transfers []report.InHand) {
	if t.files == nil {
		t.files = make(map[*report.Transfer]*history)
	}
	for _, h := range t.files {
		h.inHand = false
	}
	for _, f := range transfers {
		h := t.files[f.Transfer]
		if h == nil {
			h = &history{since: at}
			t.files[f.Transfer] = h
		}
		h.add(at, f)
	}
	for key, h := range t.files {
		if !h.inHand {
			delete(t.files, key)
		}
	}
	t.choose(at)
}

func (h *history) add(at time.Duration, f report.InHand) {
	h.Path, h.Size, h.inHand = f.Path, f.Transfer.Size, true
	h.Done = min(f.Transfer.Done(), h.Size) // a file may be copied once more
	h.samples = append(h.samples, sample{at, h.Done})
	old := 0
	for old+1 < len(h.samples) && h.samples[old+1].at <= at-window {
		old++
	}
	h.samples = append(h.samples[:0], h.samples[old:]...)
	if first := h.samples[0]; at > first.at {
		h.Rate = int64(float64(h.Done-first.done) / (at - first.at).Seconds())
	}
}

// choose gives the places of files that are done to others, if there are any.
func (t *Tracker) choose(at time.Duration) {
	var next []*history
	for _, h := range t.files {
		if !h.shown && at-h.since >= longAfter && h.left() > soonDone.Seconds() {
			next = append(next, h)
		}
	}
	slices.SortFunc(next, func(a, b *history) int {
		return cmp.Or(cmp.Compare(b.left(), a.left()), cmp.Compare(a.Path, b.Path))
	})
	take := func() *history {
		h := next[0]
		next, h.shown = next[1:], true
		return h
	}
	for i, h := range t.shown {
		if !h.inHand && len(next) > 0 {
			t.shown[i] = take()
		}
	}
	t.shown = slices.DeleteFunc(t.shown, func(h *history) bool { return !h.inHand })
	for len(t.shown) < most && len(next) > 0 {
		t.shown = append(t.shown, take())
	}
}

// Shown returns the files to be shown, in the order of their lines.
func (t *Tracker) Shown() []File {
	var files []File
	for _, h := range t.shown {
		files = append(files, h.File)
	}
	return files
}

package overview

import (
	"cmp"
	"slices"
	"time"

	"psync/internal/queue"
	"psync/internal/report"
)

// FiguresOf returns what a process reports of its totals, given how many bytes it copies a second.
func FiguresOf(t report.Totals, rate int64) queue.Figures {
	return queue.Figures{
		Files:   t.Decided() + t[report.HardLinked] + t[report.Failed] + t[report.Vanished],
		Bytes:   t[report.BytesCopied] + t[report.BytesKept] + t[report.BytesSkipped],
		Removed: t.Deleted(),
		Failed:  t[report.Failed],
		Rate:    rate,
	}
}

const (
	hangsFrom = 30 * time.Second
	maxPath   = 1 << 10 // bytes that are reported of a path
)

// Hanging finds out which of the entries that a process has in hand get no further. The zero value is ready to use.
type Hanging struct{ since map[string]progress }

type progress struct {
	bytes int64
	at    time.Duration
}

// Add records what is in hand at a time, which never decreases: paths, with how many of their bytes are copied. It returns
// what gets no further as a [queue.Status] reports it.
func (h *Hanging) Add(at time.Duration, inHand map[string]int64) (calls []queue.Call) {
	since := make(map[string]progress, len(inHand))
	for path, bytes := range inHand {
		p, was := h.since[path]
		if !was || p.bytes != bytes {
			p = progress{bytes, at}
		}
		since[path] = p
		if stands := at - p.at; stands >= hangsFrom {
			calls = append(calls, queue.Call{Path: path[:min(len(path), maxPath)], For: stands})
		}
	}
	h.since = since
	slices.SortFunc(calls, func(a, b queue.Call) int {
		return cmp.Or(cmp.Compare(b.For, a.For), cmp.Compare(a.Path, b.Path))
	})
	return calls[:min(len(calls), queue.MaxCalls)]
}

package retry

import (
	"errors"
	"fmt"
	"time"

	"psync/internal/report"
)

// watch reports calls that hang, until ended is closed.
func (vs *Volumes) watch(ended <-chan struct{}) {
	const often = time.Second
	ticker := time.NewTicker(often)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case now := <-ticker.C:
			vs.mu.Lock()
			for _, v := range vs.byDev {
				if h, due := v.calls.hanging(now); due {
					v.reportHang(h, now)
				}
			}
			vs.mu.Unlock()
		}
	}
}

// reportHang reports the oldest of the calls that hang, and how many others there are.
func (v *volume) reportHang(h hang, now time.Time) {
	text := fmt.Sprintf("a call of the system has not returned for %v", now.Sub(h.oldest.since).Truncate(time.Second))
	switch {
	case h.n == 2:
		text += ", nor has another one"
	case h.n > 2:
		text += fmt.Sprintf(", nor have %d others", h.n-1)
	}
	e := report.Event{Kind: report.Hang, Root: v.root.label, Name: h.oldest.name, Err: errors.New(text)}
	if d := h.oldest.dir; d != nil {
		e.Root, e.Dir = d.root.label, d.path()
	}
	if e.Name == "." {
		e.Name = ""
	}
	v.all.report(e)
}

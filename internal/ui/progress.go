package ui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"psync/internal/report"
	"psync/internal/ui/estimate"
	"psync/internal/ui/inhand"
)

const (
	sampleEvery = 200 * time.Millisecond // the pace of the bar, too
	lineEvery   = 10 * time.Second       // lines that stay are written less often
)

// Progress shows the progress of a run, starting after delay, until ctx is done or stop is called. On a terminal, it shows a
// bar in the last line, and below the bar the large files that are being copied, if they are wanted; it erases both at
// the end. If Err is not a terminal, or one that takes no escape codes, it writes a line every ten seconds, and one at the
// end. The caller must call stop, which waits for the display to end and may be called again. There must be no other
// display at the same time.
func (p *Printer) Progress(ctx context.Context, stats *report.Stats, delay time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var display sync.WaitGroup
	display.Go(func() { p.watch(ctx, stats, delay) })
	return func() {
		cancel()
		display.Wait()
	}
}

// watch samples stats and shows them until ctx is done.
func (p *Printer) watch(ctx context.Context, stats *report.Stats, delay time.Duration) {
	var files inhand.Tracker
	show, next, pause := func(s estimate.Status) { p.showBar(s, files.Shown()) }, delay, time.Duration(0)
	if p.size == nil {
		show, next, pause = p.showLine, max(delay, lineEvery), lineEvery
	}
	defer p.hideBar()
	ticker := time.NewTicker(sampleEvery)
	defer ticker.Stop()

	e := p.estimator()
	for start := time.Now(); ; {
		at := time.Since(start)
		e.Add(at, stats.Totals(), stats.Expected.Known.Load())
		if p.size != nil && p.config.InHand != nil {
			files.Add(at, p.config.InHand())
		}
		if at >= next {
			show(e.Status(expected(stats)))
			next = at + pause
		}
		select {
		case <-ctx.Done():
			if p.size == nil {
				e.Add(time.Since(start), stats.Totals(), stats.Expected.Known.Load())
				end := e.Status(estimate.Amount{}, false) // no more work will follow
				end.Stalled = 0
				p.showLine(end)
				p.hadProgress.Store(true)
			}
			return
		case <-ticker.C:
		}
	}
}

// ProgressLine returns a function that prints the progress of a run that begins now as a line that
// stays. The function is not safe for concurrent use.
func (p *Printer) ProgressLine(stats *report.Stats) (show func()) {
	start := time.Now()
	e := p.estimator()
	e.Add(0, report.Totals{}, false)
	return func() {
		e.Add(time.Since(start), stats.Totals(), stats.Expected.Known.Load())
		p.showLine(e.Status(expected(stats)))
	}
}

func (p *Printer) estimator() estimate.Estimator {
	return estimate.Estimator{Removal: p.config.Removal, DryRun: p.config.DryRun}
}

// expected returns the amount of work in the source, and whether the amount is known.
func expected(stats *report.Stats) (estimate.Amount, bool) {
	known := stats.Expected.Known.Load() // loaded first, so that the values read afterwards are final
	return estimate.Amount{Files: stats.Expected.Files.Load(), Bytes: stats.Expected.Bytes.Load()}, known
}

// showLine writes s as a line that stays.
func (p *Printer) showLine(s estimate.Status) {
	parts := parts(s)
	if s.Known {
		parts = append([]string{fmt.Sprintf("%d%%", int(s.Share()*100))}, parts...)
	}
	p.writeErr([]byte("progress: " + strings.Join(parts, ", ") + "\n"))
}

package ui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/ui/estimate"
)

// newTerminalTest returns a printer whose Out and Err are a terminal of 100 columns.
func newTerminalTest(t *testing.T, c Config) (*Printer, *screen) {
	s := newScreen(t)
	c.Out, c.Err = s, s
	p := New(c)
	p.live = true
	p.size = func() (columns, rows int) { return 100, 24 }
	return p, s
}

// pass lets d elapse and all goroutines react.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// halfway returns the statistics of a run that has copied 42 of 100 files.
func halfway() (*report.Stats, *report.Counter) {
	stats := new(report.Stats)
	stats.Expected.Files.Store(100)
	stats.Expected.Bytes.Store(100 * mib)
	stats.Expected.Known.Store(true)
	c := stats.Counter()
	c.Add(report.FilesCopied, 42)
	c.Add(report.BytesCopied, 43*mib)
	return stats, c
}

// mib is the number of bytes of a MiB.
const mib = 1 << 20

func amount(files, bytes int64) estimate.Amount { return estimate.Amount{Files: files, Bytes: bytes} }

const halfwayBar = "  42% [===>      ]   42/100 files,  43/100 MiB"

func TestStatusInWords(t *testing.T) {
	tests := []struct {
		what   string
		status estimate.Status
		want   string
	}{
		{
			"total known",
			estimate.Status{Done: amount(1234, 6012954214), Total: amount(5000, 12<<30), Known: true, Rate: 310 * mib, Left: 125 * time.Second},
			"1,234/5,000 files,  5.6/12.0 GiB,  310 MiB/s, ETA 2m05s",
		},
		{"no estimate yet", estimate.Status{Done: amount(1, 0), Total: amount(1, 2048), Known: true}, "1/1 file, 0.0/2.0 KiB"},
		{"stalled", estimate.Status{Done: amount(1, 0), Total: amount(2, 5), Known: true, Stalled: 12 * time.Second}, "1/2 files, 0/5 B, stalled 12s"},
		{
			"still counting",
			estimate.Status{Done: amount(1234, 6012954214), Total: amount(5000, 12<<30), Rate: 310 * mib},
			"1,234 of at least 5,000 files, 5.6 GiB of 12 GiB and counting,  310 MiB/s",
		},
		{
			"counting falls behind",
			estimate.Status{Done: amount(1234, 6012954214), Total: amount(1000, 0), Rate: 310 * mib},
			"1,234 files, 5.6 GiB,  310 MiB/s",
		},
		{"removal", estimate.Status{Done: estimate.Amount{Files: 12345}, Rate: 5432, Removal: true}, "removed 12,345 entries, 5,432/s"},
		{"removal of one", estimate.Status{Done: estimate.Amount{Files: 1}, Removal: true}, "removed 1 entry"},
		{
			"removal, stalled",
			estimate.Status{Done: estimate.Amount{Files: 2}, Stalled: 12 * time.Second, Removal: true},
			"removed 2 entries, stalled 12s",
		},
	}
	for _, test := range tests {
		if got := strings.Join(parts(test.status), ", "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestBarAppearsAfterTheDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, time.Second)
		defer stop()
		pass(time.Second - 1)
		if screen.count() != 0 {
			t.Errorf("before the delay: %q, want nothing", screen)
		}
		pass(1)
		if got := screen.String(); got != halfwayBar {
			t.Errorf("got  %q\nwant %q", got, halfwayBar)
		}
	})
}

func TestBarAppearsAtOnceWithoutDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		defer stop()
		synctest.Wait()
		if got := screen.String(); got != halfwayBar {
			t.Errorf("got  %q\nwant %q", got, halfwayBar)
		}
	})
}

func TestBarFollowsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats := new(report.Stats)
		work := stats.Counter()
		stop := p.Progress(t.Context(), stats, 0)
		defer stop()
		synctest.Wait()
		for _, step := range []struct {
			what string
			do   func()
			wait time.Duration
			want string
		}{
			{"nothing is known", func() {}, 0, "|  0 files, 0 B"},
			{"the walk is ahead", func() {
				work.Add(report.FilesCopied, 10)
				work.Add(report.BytesCopied, 10*mib)
				stats.Expected.Files.Store(50)
				stats.Expected.Bytes.Store(50 * mib)
			}, time.Second, "/  10 of at least 50 files, 10 MiB of 50 MiB and counting, 10.0 MiB/s"},
			{"the walk has ended", func() {
				work.Add(report.FilesCopied, 10)
				work.Add(report.BytesCopied, 10*mib)
				stats.Expected.Files.Store(60)
				stats.Expected.Bytes.Store(60 * mib)
				stats.Expected.Known.Store(true)
			}, time.Second, "  33% [==>       ]  20/60 files, 20.0/60.0 MiB, 10.0 MiB/s, ETA 4s"},
			{"the mount hangs", func() {}, 11200 * time.Millisecond, "  33% [==>       ]  20/60 files, 20.0/60.0 MiB, stalled 12s"},
			{"it goes on", func() {
				work.Add(report.FilesCopied, 40)
				work.Add(report.BytesCopied, 40*mib)
			}, 200 * time.Millisecond, "  99% [========> ]  60/60 files, 60.0/60.0 MiB, 4.00 MiB/s"},
		} {
			step.do()
			pass(step.wait)
			if got := screen.String(); got != step.want {
				t.Errorf("%s:\ngot  %q\nwant %q", step.what, got, step.want)
			}
		}
	})
}

func TestLinesStandAboveTheBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{Verbose: true})
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		synctest.Wait()
		p.Event(denied)
		p.Event(copiedFile)
		const lines = "psync: /src/a/f: open: permission denied\ncopy    a/f\n"
		if got := screen.String(); got != lines+halfwayBar {
			t.Errorf("got\n%s\nwant\n%s", got, lines+halfwayBar)
		}
		stop()
		if got := screen.String(); got != lines {
			t.Errorf("after stop, got\n%s\nwant\n%s", got, lines)
		}
	})
}

func TestBufferedPlanLeavesTheBarAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{Verbose: true})
		p.live = false
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		defer stop()
		synctest.Wait()
		before := screen.count()
		p.Event(copiedFile)
		if n := screen.count() - before; n != 0 {
			t.Errorf("%d writes to the terminal, want 0", n)
		}
	})
}

// synctest.Test fails if the goroutine of the display is left.
func TestStopEndsTheDisplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		pass(time.Minute)
		stop()
		if got := screen.String(); got != "" {
			t.Errorf("left on the screen: %q", got)
		}
		before := screen.count()
		pass(time.Minute)
		stop()
		p.Event(denied)
		if n := screen.count() - before; n != 1 {
			t.Errorf("%d writes after stop, want 1, the line", n)
		}
	})
}

func TestContextEndsTheDisplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		stop := p.Progress(ctx, stats, 0)
		pass(time.Second)
		cancel()
		synctest.Wait()
		if got := screen.String(); got != "" {
			t.Errorf("left on the screen: %q", got)
		}
		stop()
	})
}

func TestStopBeforeTheDelayShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		stop := p.Progress(t.Context(), stats, time.Second)
		pass(time.Second / 2)
		stop()
		if screen.count() != 0 {
			t.Errorf("got %q, want nothing", screen)
		}
	})
}

func TestProgressInAFileIsPlainLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, errs := newTest(Config{})
		stats, work := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		pass(10*time.Second - 1)
		if errs.Len() != 0 {
			t.Errorf("in the first seconds: %q, want nothing", errs)
		}
		work.Add(report.FilesCopied, 8)
		work.Add(report.BytesCopied, 8*mib)
		pass(1)
		pass(10 * time.Second)
		stop()
		if err := p.Summary(Outcome{Totals: stats.Totals(), Elapsed: 20 * time.Second}); err != nil {
			t.Error(err)
		}
		const want = "progress: 50%,  50/100 files,  51/100 MiB,  819 KiB/s\n" +
			"progress: 50%,  50/100 files,  51/100 MiB, stalled 10s\n" +
			"progress: 50 files, 51 MiB\n" +
			"psync: copied 50 files, 51 MiB in 20.0 s (2.55 MiB/s), 0 failed\n"
		if got := errs.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

func TestProgressOfARemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{Removal: true})
		stats := new(report.Stats)
		work := stats.Counter()
		stop := p.Progress(t.Context(), stats, 0)
		defer stop()
		synctest.Wait()
		work.Add(report.FilesDeleted, 900)
		work.Add(report.DirsDeleted, 80)
		work.Add(report.LinksDeleted, 7)
		work.Add(report.SpecialsDeleted, 2013)
		work.Add(report.Failed, 4)
		pass(2 * time.Second)
		if got, want := screen.String(), "  removed 3,000 entries, 1,500/s"; !strings.HasSuffix(got, want) {
			t.Errorf("got  %q\nwant %q behind the spinner", got, want)
		}
	})
}

func TestProgressOfARemovalInAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, errs := newTest(Config{Removal: true})
		stats := new(report.Stats)
		work := stats.Counter()
		stop := p.Progress(t.Context(), stats, 0)
		synctest.Wait()
		work.Add(report.FilesDeleted, 5000)
		pass(10 * time.Second)
		stop()
		const want = "progress: removed 5,000 entries, stalled 10s\nprogress: removed 5,000 entries\n"
		if got := errs.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

func TestLinesAndBarAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{Verbose: true})
		stats, work := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		done := make(chan struct{})
		for range 4 {
			go func() {
				for range 50 {
					work.Add(report.DirsMade, 1)
					p.Event(denied)
					p.Event(copiedFile)
					time.Sleep(90 * time.Millisecond)
				}
				done <- struct{}{}
			}()
		}
		for range 4 {
			<-done
		}
		stop()
		for line := range strings.Lines(screen.String()) {
			if line != "copy    a/f\n" && line != "psync: /src/a/f: open: permission denied\n" {
				t.Fatalf("broken line %q", line)
			}
		}
	})
}

// TestProgressLineStaysAboveTheBar requests a progress line on a terminal with a bar.
func TestProgressLineStaysAboveTheBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := newTerminalTest(t, Config{})
		stats, c := halfway()
		show := p.ProgressLine(stats)
		stop := p.Progress(t.Context(), stats, 0)
		defer stop()
		pass(2 * time.Second)
		show()
		c.Add(report.FilesCopied, 8)
		pass(2 * time.Second)
		show()
		want := "progress: 42%,  42/100 files,  43/100 MiB, 21.5 MiB/s, ETA 3s\n" +
			"progress: 45%,  50/100 files,  43/100 MiB, 10.8 MiB/s, ETA 5s\n"
		if got := s.String(); !strings.HasPrefix(got, want) {
			t.Errorf("got:\n%s\nwant it to start with:\n%s", got, want)
		}
	})
}

// TestProgressLineWithoutADisplay requests a progress line from a run without a display.
func TestProgressLineWithoutADisplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, stderr := newTest(Config{Quiet: true})
		stats := new(report.Stats)
		show := p.ProgressLine(stats)
		stats.Counter().Add(report.FilesCopied, 3)
		pass(time.Second)
		show()
		if got, want := stderr.String(), "progress: 3 files, 0 B\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

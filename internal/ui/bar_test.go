package ui

import (
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/ui/estimate"
)

func TestFitLeavesOutTheFirstParts(t *testing.T) {
	parts := []string{"1/2 files", "3/4 GiB", "ETA 5s"}
	tests := []struct {
		columns int
		want    string
	}{
		{100, "1/2 files, 3/4 GiB, ETA 5s"},
		{26, "1/2 files, 3/4 GiB, ETA 5s"},
		{25, "3/4 GiB, ETA 5s"},
		{14, "ETA 5s"},
		{5, ""},
		{-5, ""},
	}
	for _, test := range tests {
		if got := fit(parts, test.columns); got != test.want {
			t.Errorf("fit(%d) = %q, want %q", test.columns, got, test.want)
		}
	}
}

func TestBarFitsTheTerminal(t *testing.T) {
	s := estimate.Status{
		Done: amount(1_234_567, 6012954214), Total: amount(5_000_000, 12<<30),
		Rate: 310 * mib, Left: 125 * time.Second,
	}
	for columns := 16; columns <= 200; columns++ {
		for _, s.Known = range []bool{false, true} {
			screen := newScreen(t)
			newBar(screen, columns, s.Known).draw(s, nil)
			if screen.widest >= columns {
				t.Errorf("%d columns of %d: %q", screen.widest, columns, screen)
			}
		}
	}
}

func TestUsualTerminalShowsEverything(t *testing.T) {
	s := estimate.Status{
		Done: amount(1_234_567, 6012954214), Total: amount(5_000_000, 12<<30), Known: true,
		Rate: 310 * mib, Left: 125 * time.Second,
	}
	screen := newScreen(t)
	newBar(screen, 80, true).draw(s, nil)
	const want = "  24% [>    ]  1,234,567/5,000,000 files,  5.6/12.0 GiB,  310 MiB/s, ETA 2m05s"
	if got := screen.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestEachDrawingIsOneWrite(t *testing.T) {
	screen := newScreen(t)
	b := newBar(screen, 80, true)
	for i := range 100 {
		b.draw(estimate.Status{Done: amount(int64(i), 0), Total: amount(100, 0), Known: true}, nil)
	}
	if screen.count() != 100 {
		t.Errorf("%d writes for 100 drawings", screen.count())
	}
}

func TestBarFollowsTheWidthOfTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, screen := newTerminalTest(t, Config{})
		stats, _ := halfway()
		width := make(chan int, 1)
		p.size = func() (columns, rows int) { return <-width, 24 }
		width <- 100
		stop := p.Progress(t.Context(), stats, 0)
		synctest.Wait()
		width <- 40
		pass(sampleEvery)
		const want = "  42% [>   ]   43/100 MiB"
		if got := screen.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		stop()
		if got := screen.String(); got != "" {
			t.Errorf("left on the screen: %q", got)
		}
	})
}

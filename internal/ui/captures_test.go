package ui

import (
	"fmt"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
)

// TestWhatIsSeenOfARun shows the terminal after 20 seconds of a run over 3,500 files, and at its end.
func TestWhatIsSeenOfARun(t *testing.T) {
	const files, size = 3500, 17 * mib
	tests := []struct {
		what    string
		columns int
		config  Config
		current int64 // of ten files
		cut     bool  // interrupted after 20 seconds
		want    string
	}{
		{"first run", 40, Config{}, 0, false, `
  17% [    ]   510 MiB/s, ETA 1m37s
psync: copied 3,500 files, 58.1 GiB in 2m00s (496 MiB/s), 0 failed
`},
		{"first run", 80, Config{}, 0, false, `
  17% [     ]    600/3,500 files, 10.0/58.1 GiB,  510 MiB/s, ETA 1m37s
psync: copied 3,500 files, 58.1 GiB in 2m00s (496 MiB/s), 0 failed
`},
		{"first run", 200, Config{}, 0, false, `
  17% [====>                         ]    600/3,500 files, 10.0/58.1 GiB,  510 MiB/s, ETA 1m37s
psync: copied 3,500 files, 58.1 GiB in 2m00s (496 MiB/s), 0 failed
`},
		{"second run", 80, Config{}, 9, false, `
  17% [     ]    600/3,500 files, 10.0/58.1 GiB, 51.0 MiB/s, ETA 1m37s
psync: copied 350 files, 5.81 GiB in 2m00s (49.6 MiB/s), 3,150 current, 0 failed
`},
		{"dry run", 40, Config{DryRun: true}, 9, false, `
  17% [    ]  ETA 1m37s (dry run)
psync: dry run: looked at 3,500 files in 2m00s, 0 failed
`},
		{"dry run", 80, Config{DryRun: true}, 9, false, `
  17% [     ]    600/3,500 files, ETA 1m37s (dry run)
psync: dry run: looked at 3,500 files in 2m00s, 0 failed
`},
		{"comparison", 80, Config{Compare: true}, 9, false, `
  17% [     ]    600/3,500 files, ETA 1m37s (dry run)
psync: compared 3,500 files in 2m00s, 0 failed
`},
		{"interrupted", 80, Config{}, 0, true, `
  17% [     ]    600/3,500 files, 10.0/58.1 GiB,  510 MiB/s, ETA 1m37s
psync: interrupted: copied 600 files, 9.96 GiB in 20.0 s (510 MiB/s), 0 failed; run the same command again to complete the copy
`},
		{"interrupted dry run", 80, Config{DryRun: true}, 9, true, `
  17% [     ]    600/3,500 files, ETA 1m37s (dry run)
psync: interrupted after 20.0 s: the list is not complete
`},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s, %d columns", test.what, test.columns), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, screen := newTerminalTest(t, test.config)
				p.size = func() (columns, rows int) { return test.columns, 24 }
				stats := new(report.Stats)
				stats.Expected.Files.Store(files)
				stats.Expected.Bytes.Store(files * size)
				stats.Expected.Known.Store(true)
				work := stats.Counter()
				stop := p.Progress(t.Context(), stats, 0)
				copyTen := func() {
					work.Add(report.FilesKept, test.current)
					work.Add(report.BytesKept, test.current*size)
					work.Add(report.FilesCopied, 10-test.current)
					work.Add(report.BytesCopied, (10-test.current)*size)
				}
				n := 0
				for ; n < 60; n++ { // 30 files a second
					copyTen()
					pass(time.Second / 3)
				}
				seen := "\n" + screen.String() + "\n"
				o := Outcome{Interrupted: test.cut, Elapsed: 120 * time.Second}
				if test.cut {
					o.Elapsed = 20 * time.Second
				}
				for ; n < files/10 && !test.cut; n++ {
					copyTen()
				}
				stop()
				o.Totals = stats.Totals()
				if err := p.Summary(o); err != nil {
					t.Error(err)
				}
				seen = nearly.ReplaceAllString(seen+screen.String(), "1m37s")
				if seen != test.want {
					t.Errorf("got\n%s\nwant\n%s", seen, test.want)
				}
			})
		})
	}
}

// nearly is an estimate near the one wanted. Where work and ticks of the progress come at one moment, chance decides
// which of them is first.
var nearly = regexp.MustCompile("1m3[678]s")

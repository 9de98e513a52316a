package ui

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/ui/inhand"
)

func TestLinesOfFilesFit(t *testing.T) {
	file := inhand.File{Path: "photos/2024/a rather long name of a directory/movie.mkv", Size: 4 << 30, Done: 3 << 29, Rate: 120 * mib}
	tests := []struct {
		what          string
		path          string
		columns, rows int
		want          string
	}{
		{"narrow", file.Path, 60, 24, ""},
		{"low", file.Path, 80, 9, ""},
		{"usual", file.Path, 80, 24, "  37%    1.5/4.0 GiB,  120 MiB/s  ... rather long name of a directory/movie.mkv"},
		{"wide", file.Path, 120, 24, "  37%    1.5/4.0 GiB,  120 MiB/s  photos/2024/a rather long name of a directory/movie.mkv"},
		{"not ASCII", strings.Repeat("\u4e2d", 30), 72, 24, "  37%    1.5/4.0 GiB,  120 MiB/s  ..." + strings.Repeat("\u4e2d", 17)},
		{
			"combining", strings.Repeat("e\u0301", 30) + "ab", 72, 24,
			"  37%    1.5/4.0 GiB,  120 MiB/s  ..." + strings.Repeat("e\u0301", 10) + "ab",
		},
		{"just fits", strings.Repeat("a", 37), 72, 24, "  37%    1.5/4.0 GiB,  120 MiB/s  " + strings.Repeat("a", 37)},
		{"just too long", strings.Repeat("a", 38), 72, 24, "  37%    1.5/4.0 GiB,  120 MiB/s  ..." + strings.Repeat("a", 34)},
		{"escaped", "a\x1b[A", 80, 24, `  37%    1.5/4.0 GiB,  120 MiB/s  a\033[A`},
	}
	for _, test := range tests {
		file.Path = test.path
		if got := strings.Join(fileLines([]inhand.File{file}, test.columns, test.rows), "\n"); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.what, got, test.want)
		}
	}
}

// The bar stays in its line while files below it come and go, and lines above it.
func TestFilesAreShownBelowTheBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var files atomic.Value
		files.Store([]report.InHand(nil))
		p, screen := newTerminalTest(t, Config{InHand: func() []report.InHand { return files.Load().([]report.InHand) }})
		stats, work := halfway()
		stop := p.Progress(t.Context(), stats, 0)
		synctest.Wait()
		a, b := &report.Transfer{Size: 100 * mib}, &report.Transfer{Size: 50 * mib}
		both := []report.InHand{{Path: "/src/a", Transfer: a}, {Path: "/src/b", Transfer: b}}
		files.Store(both)
		pass(time.Second / 10)
		for range 4 {
			a.Add(mib)
			b.Add(mib)
			work.Add(report.DirsMade, 1) // or the run would stall
			pass(time.Second)
		}
		const bar = "  42% [===>      ]   42/100 files,  43/100 MiB"
		const fileA = "   4%      4/100 MiB,  808 KiB/s  /src/a"
		check := func(what, want string) {
			t.Helper()
			if got := screen.String(); got != want {
				t.Errorf("%s, got\n%s\nwant\n%s", what, got, want)
			}
		}
		check("two files", bar+"\n"+fileA+"\n   8%   4.0/50.0 MiB,  808 KiB/s  /src/b")
		p.Event(denied)
		const line = "psync: /src/a/f: open: permission denied\n"
		check("a line", line+bar+"\n"+fileA+"\n   8%   4.0/50.0 MiB,  808 KiB/s  /src/b")
		files.Store(both[:1])
		pass(sampleEvery)
		if got := screen.String(); !strings.HasPrefix(got, line+"  42%") || !strings.HasSuffix(got, "/src/a") || strings.Count(got, "\n") != 2 {
			t.Errorf("one file, got\n%s", got)
		}
		stop()
		check("after stop", line)
	})
}

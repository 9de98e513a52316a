package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"psync/internal/report"
)

func TestStats(t *testing.T) {
	totals := report.Totals{
		report.FilesSeen: 1000, report.DirsSeen: 200, report.LinksSeen: 30, report.SpecialsSeen: 4,
		report.BytesSeen: 1288490100, report.LinkBytes: 88,
		report.RootsMade: 1, report.DirsMade: 2, report.FilesMade: 980, report.LinksMade: 30, report.SpecialsMade: 2, report.HardLinked: 1200,
		report.Replaced: 19, report.FilesCopied: 999, report.BytesCopied: 1288490000,
		report.FilesKept: 5678, report.AttrsSet: 6,
		report.FilesDeleted: 3, report.DirsDeleted: 1, report.LinksDeleted: 1,
		report.Failed: 1, report.Unkeeps: 2,
	}
	const want = `Number of files: 1,234 (reg: 1,000, dir: 200, link: 30, special: 4)
Number of created files: 1,015 (reg: 980, dir: 3, link: 30, special: 2)
Number of deleted files: 5 (reg: 3, dir: 1, link: 1)
Number of replaced files: 19
Number of hard links made: 1,200
Number of regular files transferred: 999
Number of current regular files: 5,678
Number of attribute updates: 6
Number of failed files: 1
Number of vanished files: 0
Number of attributes not kept: 2
Total file size: 1,288,490,188 bytes
Total transferred file size: 1,288,490,000 bytes
Elapsed time: 3.4 s
Transfer rate: 361 MiB/s, 293 files/s
`
	var b strings.Builder
	if err := Stats(&b, totals, 3400*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestStatsOfNothing(t *testing.T) {
	const want = `Number of files: 0
Number of created files: 0
Number of deleted files: 0
Number of replaced files: 0
Number of hard links made: 0
Number of regular files transferred: 0
Number of current regular files: 0
Number of attribute updates: 0
Number of failed files: 0
Number of vanished files: 0
Number of attributes not kept: 0
Total file size: 0 bytes
Total transferred file size: 0 bytes
Elapsed time: 0 ms
`
	var b strings.Builder
	_ = Stats(&b, report.Totals{}, 0)
	if got := b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestStatsReturnsWriteErrors(t *testing.T) {
	full := errors.New("no space left")
	if err := Stats(failingWriter{full}, report.Totals{}, 0); !errors.Is(err, full) {
		t.Errorf("Stats = %v, want %v", err, full)
	}
}

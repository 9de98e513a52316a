package ui

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"psync/internal/report"
)

func TestOutFormat(t *testing.T) {
	mtime := time.Date(2001, 2, 3, 4, 5, 6, 7, time.Local)
	file := report.Event{
		Kind: report.Copy, Dir: "d", Name: "f", Size: 1234567, Diff: report.DiffNew,
		More: &report.Details{Path: "/src/d/f", Size: 1234567, Mode: 0o754 | fs.ModeSetgid, Mtime: mtime, UID: 7, GID: 80},
	}
	dir := report.Event{Kind: report.Mkdir, Name: "d", IsDir: true, More: &report.Details{Path: "src/d", Size: 4096, Mode: fs.ModeDir | fs.ModeSticky | 0o776}}
	link := report.Event{Kind: report.Symlink, Name: "l", Target: "over/there"}
	attrs := report.Event{Kind: report.SetAttr, Name: "f", Size: 5, Diff: report.DiffPerms}
	gone := report.Event{Kind: report.Delete, Dir: "d", Name: "gone", IsDir: true}
	for _, tt := range []struct {
		format string
		event  report.Event
		want   string
	}{
		{"", file, ""},
		{"%n", file, "d/f\n"},
		{"%n", dir, "d/\n"},
		{"%f", file, "src/d/f\n"},
		{"%i %n%L", link, "cL+++++++++ l -> over/there\n"},
		{"%l %b", file, "1234567 1234567\n"},
		{"%l %b", dir, "4096 0\n"},
		{"%l %b", link, "10 0\n"},
		{"%'l %''l %'''l %l", file, "1,234,567 1.23M 1.18M 1234567\n"},
		{"%9'l|%-9l|%'12l|%3l", file, "1,234,567|1234567  |   1,234,567|1234567\n"},
		{"%B %M", file, "rwxr-sr-- 2001/02/03-04:05:06\n"},
		{"%B", dir, "rwxrwxrwT\n"},
		{"%U:%03U %G %5G|%-5G|", file, "7:007 80    80|80   |\n"},
		{"%-5n|%5n", dir, "d/   |   d/\n"},
		{"[%20L]", link, "[ ->           over/there]\n"},
		{"[%3L]", dir, "[       ]\n"},
		{"%o 100%% %%n %", file, "send 100% %n %\n"},
		{"%o %n %l %B %M", gone, "del. d/gone/ 0 --------- 1970/01/01-00:00:00\n"},
		{"%i %n%L", gone, "*deleting   d/gone/\n"},
		{"%n", gone, "deleting d/gone/\n"},
		{"%n", attrs, ""},
		{"%i %n", attrs, ".f...p..... f\n"},
		{"%n", report.Event{Kind: report.SetAttr, Name: "d", IsDir: true}, "d/\n"},
		{"%i", report.Event{Kind: report.Skip, Name: "fifo"}, ""},
	} {
		f, err := ParseOutFormat(tt.format)
		if err != nil {
			t.Errorf("%s: %v", tt.format, err)
			continue
		}
		got := ""
		if line := f.Appender(false); line != nil {
			got = string(line(nil, tt.event))
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.format, got, tt.want)
		}
	}
	f, err := ParseOutFormat("%o")
	if got := string(f.Appender(true)(nil, file)); err != nil || got != "recv\n" {
		t.Errorf("%%o of what comes from another host is %q, %v", got, err)
	}
}

func TestOutFormatsAreRefused(t *testing.T) {
	for _, tt := range []struct{ format, want string }{
		{"%n %z", "%z is no escape"},
		{"%C", "%C: psync makes no checksums"},
		{"%8c", "%c: psync makes no checksums"},
		{"%h", "%h is about connections"},
		{"%5", "ends within an escape"},
		{"%99999n", "a width of 99999 is too much"},
	} {
		if _, err := ParseOutFormat(tt.format); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.format, err, tt.want)
		}
	}
}

func TestOutFormatsWantDetails(t *testing.T) {
	for _, tt := range []struct {
		format string
		want   report.Detail
	}{
		{"%n%L %i %o %b", 0},
		{"%n %l", report.DetailDirSize},
		{"%f", report.DetailPath},
		{"%M %f", report.DetailPath | report.DetailAttrs},
		{"%B", report.DetailAttrs},
		{"%U", report.DetailAttrs},
		{"%%B", 0},
	} {
		f, err := ParseOutFormat(tt.format)
		if got := f.Details(); err != nil || got != tt.want {
			t.Errorf("%s wants %b, %v, want %b", tt.format, got, err, tt.want)
		}
	}
}

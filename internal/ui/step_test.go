package ui

import (
	"io/fs"
	"testing"

	"psync/internal/report"
)

func TestStepLines(t *testing.T) {
	tests := []struct {
		event report.Event
		want  string
	}{
		{report.Event{Kind: report.Mkdir, IsDir: true}, "mkdir   ./\n"},
		{report.Event{Kind: report.Mkdir, Dir: "a", Name: "b", IsDir: true}, "mkdir   a/b/\n"},
		{report.Event{Kind: report.Mkdir, Dir: "a/b", IsDir: true}, "mkdir   a/b/\n"},
		{report.Event{Kind: report.Copy, Name: "f"}, "copy    f\n"},
		{report.Event{Kind: report.Copy, Dir: "a", Name: "f"}, "copy    a/f\n"},
		{report.Event{Kind: report.Replace, Dir: "a", Name: "f"}, "replace a/f\n"},
		{report.Event{Kind: report.Replace, Dir: "a", Name: "l", Target: "f"}, "replace a/l -> f\n"},
		{report.Event{Kind: report.Symlink, Dir: "a", Name: "l", Target: "../t"}, "symlink a/l -> ../t\n"},
		{report.Event{Kind: report.Symlink, Name: "l\n", Target: "\x1b"}, `symlink l\012 -> \033` + "\n"},
		{report.Event{Kind: report.Replace, Dir: "a", Name: "d", IsDir: true}, "replace a/d/\n"},
		{report.Event{Kind: report.Copy, Dir: "a", Name: "nul", Type: fs.ModeDevice | fs.ModeCharDevice}, "mknod   a/nul\n"},
		{report.Event{Kind: report.Copy, Name: "p", Type: fs.ModeNamedPipe}, "mknod   p\n"},
		{report.Event{Kind: report.Replace, Name: "sock", Type: fs.ModeSocket}, "replace sock\n"},
		{report.Event{Kind: report.Link, Dir: "a", Name: "f"}, "link    a/f\n"},
		{report.Event{Kind: report.Link, Dir: "a", Name: "f", Target: "b/g"}, "link    a/f => b/g\n"},
		{report.Event{Kind: report.Link, Name: "l2", Target: "l\n", Type: fs.ModeSymlink}, `link    l2 => l\012` + "\n"},
		{report.Event{Kind: report.SetAttr, Dir: "a", Name: "f"}, "attrs   a/f\n"},
		{report.Event{Kind: report.SetAttr, Dir: "a", Name: "l", Target: "f"}, "attrs   a/l -> f\n"},
		{report.Event{Kind: report.SetAttr, IsDir: true}, "attrs   ./\n"},
		{report.Event{Kind: report.Delete, Dir: "a", Name: "f"}, "delete  a/f\n"},
		{report.Event{Kind: report.Delete, Dir: "a", Name: "l", Target: "f"}, "delete  a/l\n"},
		{report.Event{Kind: report.Delete, Dir: "a", Name: "b", IsDir: true}, "delete  a/b/\n"},
		{report.Event{Kind: report.Delete, Root: "tree/", Dir: "a", Name: "f"}, "delete  tree/a/f\n"},
		{report.Event{Kind: report.Delete, Root: "tree/", IsDir: true}, "delete  tree/\n"},
		{report.Event{Kind: report.Skip, Root: "/src", Dir: "a", Name: "fifo"}, "skip    a/fifo\n"},
		{report.Event{Kind: report.Skip, Root: "/src/fifo"}, "skip    fifo\n"},
	}
	for _, test := range tests {
		if got := string(appendStep(nil, test.event)); got != test.want {
			t.Errorf("%+v:\ngot  %swant %s", test.event, got, test.want)
		}
	}
}

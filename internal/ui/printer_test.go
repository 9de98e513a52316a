package ui

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"psync/internal/report"
)

// A few events that many tests use.
var (
	madeDir     = report.Event{Kind: report.Mkdir, Dir: "a", IsDir: true}
	copiedFile  = report.Event{Kind: report.Copy, Dir: "a", Name: "f", Size: 5}
	changedFile = report.Event{Kind: report.Replace, Dir: "a", Name: "f", Size: 5, Diff: report.DiffSize}
	deletedFile = report.Event{Kind: report.Delete, Dir: "a", Name: "old"}
	skipped     = report.Event{Kind: report.Skip, Root: "/src", Dir: "a", Name: "fifo"}
	vanished    = report.Event{Kind: report.Vanish, Root: "/src", Dir: "a", Name: "gone", Err: fs.ErrNotExist}
	denied      = report.Event{
		Kind: report.Fail, Root: "/src", Dir: "a", Name: "f",
		Err: &fs.PathError{Op: "open", Path: "f", Err: syscall.EACCES},
	}
	unowned = report.Event{
		Kind: report.Unkept, Root: "dst", Dir: "a", Name: "f", Attr: report.Owner,
		Err: &fs.PathError{Op: "fchownat", Path: "f", Err: syscall.EPERM},
	}
)

// newTest returns a printer and the buffers that it writes to.
func newTest(c Config) (p *Printer, out, err *bytes.Buffer) {
	out, err = new(bytes.Buffer), new(bytes.Buffer)
	c.Out, c.Err = out, err
	return New(c), out, err
}

func TestEventsReportedAtOnce(t *testing.T) {
	const (
		failure = "psync: /src/a/f: open: permission denied\n"
		warning = "psync: warning: /src/a/gone: vanished while copying\n"
	)
	tests := []struct {
		what   string
		config Config
		event  report.Event
		want   string
	}{
		{"failure", Config{}, denied, failure},
		{"failure, verbose", Config{Verbose: true}, denied, failure},
		{"failure, quiet", Config{Quiet: true}, denied, failure},
		{"vanished", Config{}, vanished, warning},
		{"vanished, quiet", Config{Quiet: true}, vanished, ""},
		{"skipped", Config{}, skipped, ""},
		{"unkept", Config{}, unowned, ""},
		{"copied, verbose", Config{Verbose: true}, copiedFile, ""},
		{"hostile name", Config{}, report.Event{Kind: report.Fail, Root: "s", Name: "\x1b[2J\n", Err: syscall.EIO}, `psync: s/\033[2J\012: input/output error` + "\n"},
	}
	for _, test := range tests {
		p, _, errs := newTest(test.config)
		p.Event(test.event)
		if got := errs.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func TestPlanIsTheSameInADryRun(t *testing.T) {
	list := func(c Config) string {
		p, out, _ := newTest(c)
		for _, e := range []report.Event{madeDir, copiedFile, skipped, vanished, denied} {
			p.Event(e)
		}
		if err := p.Summary(Outcome{}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	const want = "mkdir   a/\ncopy    a/f\nskip    a/fifo\n"
	for _, c := range []Config{{Verbose: true}, {DryRun: true}, {DryRun: true, Verbose: true, Quiet: true}} {
		if got := list(c); got != want {
			t.Errorf("%+v: got\n%swant\n%s", c, got, want)
		}
	}
	if got := list(Config{}); got != "" {
		t.Errorf("neither verbose nor a dry run: got\n%swant nothing", got)
	}
}

func TestPlanIsBufferedUnlessOnATerminal(t *testing.T) {
	p, out, _ := newTest(Config{Verbose: true})
	p.Event(copiedFile)
	if out.Len() != 0 {
		t.Errorf("before Flush: %q, want nothing", out)
	}
	if err := p.Flush(); err != nil {
		t.Error(err)
	}
	if got := out.String(); got != "copy    a/f\n" {
		t.Errorf("after Flush: %q", got)
	}

	p, out, _ = newTest(Config{Verbose: true})
	p.live = true
	p.Event(copiedFile)
	if got := out.String(); got != "copy    a/f\n" {
		t.Errorf("on a terminal: %q, want the line at once", got)
	}
}

func TestFlushReturnsWriteErrors(t *testing.T) {
	full := errors.New("no space left")
	p := New(Config{Out: failingWriter{full}, Err: io.Discard, Verbose: true})
	p.Event(copiedFile)
	if err := p.Summary(Outcome{}); !errors.Is(err, full) {
		t.Errorf("Summary = %v, want %v", err, full)
	}
	if err := p.Flush(); !errors.Is(err, full) {
		t.Errorf("Flush = %v, want %v", err, full)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestHiddenEventsDoNotBlock holds all locks while it reports events.
func TestHiddenEventsDoNotBlock(t *testing.T) {
	p, _, _ := newTest(Config{Quiet: true})
	p.mu.Lock()
	p.notes.mu.Lock()
	for _, e := range []report.Event{madeDir, copiedFile, skipped, vanished, unowned} {
		if n := testing.AllocsPerRun(10, func() { p.Event(e) }); n != 0 {
			t.Errorf("kind %d: %v allocations, want 0", e.Kind, n)
		}
	}
}

func TestLinesOfManyWorkersStayWhole(t *testing.T) {
	p, out, errs := newTest(Config{Verbose: true})
	var workers sync.WaitGroup
	for w := range 8 {
		workers.Go(func() {
			for i := range 200 {
				name := strconv.Itoa(w*1000 + i)
				p.Event(report.Event{Kind: report.Copy, Name: name})
				p.Event(report.Event{Kind: report.Fail, Name: name, Err: syscall.EIO})
				p.Event(unowned)
				p.Event(skipped)
			}
		})
	}
	workers.Wait()
	if err := p.Flush(); err != nil {
		t.Error(err)
	}
	for _, s := range []struct {
		text, prefix string
		lines        int
	}{
		{out.String(), "copy    ", 1600},
		{errs.String(), "psync: ", 1600},
	} {
		n := 0
		for line := range strings.Lines(s.text) {
			if strings.HasPrefix(line, s.prefix) {
				n++
			} else if !strings.HasPrefix(line, "skip    a/fifo") {
				t.Errorf("broken line %q", line)
			}
		}
		if n != s.lines {
			t.Errorf("%d lines of %q, want %d", n, s.prefix, s.lines)
		}
	}
	if n := p.notes.skipped.n; n != 1600 {
		t.Errorf("%d skipped, want 1600", n)
	}
	if n := p.notes.unkept[report.Owner].n; n != 1600 {
		t.Errorf("%d unkept, want 1600", n)
	}
}

func BenchmarkUnwantedEvent(b *testing.B) {
	p := New(Config{Out: io.Discard, Err: io.Discard})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.Event(copiedFile)
		}
	})
}

func BenchmarkListedEvent(b *testing.B) {
	p := New(Config{Out: io.Discard, Err: io.Discard, Verbose: true})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.Event(copiedFile)
		}
	})
}

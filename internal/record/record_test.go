package record

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/ui"
)

// A file is a writer that keeps each call of Write.
type file struct {
	mu     sync.Mutex
	writes []string
	err    error
}

func (f *file) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, string(p))
	return len(p), f.err
}

func (f *file) Close() error { return nil }

func (f *file) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.writes, "")
}

type sink struct {
	mu     sync.Mutex
	events []report.Event
}

func (s *sink) Event(e report.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

func newRecorder(t *testing.T, log, text *file) *Recorder {
	t.Helper()
	format, err := ui.ParseOutFormat("%i %n%L")
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Format: format}
	if log != nil {
		c.JSON = log
	}
	if text != nil {
		c.Text = text
	}
	r := NewRecorder(c)
	r.Before(new(sink))
	r.Start(Start{Version: "1", Verb: "sync", Args: []string{"sync", "a", "b"}})
	return r
}

func TestNamesSurvive(t *testing.T) {
	names := []string{"plain", `quo"te\`, "new\nline\x00\x7f", "ümlaut \u2028", "\xff", "a\xed\xa0\x80b", "\ufffd"}
	for range 200 {
		b := make([]byte, 1+rand.IntN(9))
		for i := range b {
			b[i] = byte(rand.IntN(256))
		}
		names = append(names, string(b))
	}
	for _, name := range names {
		var got struct {
			Path   string
			Base64 string `json:"path_base64"`
		}
		r := &Recorder{}
		line := r.appendEvent(nil, report.Event{Kind: report.Copy, Name: name}, time.Second)
		if err := json.Unmarshal(line, &got); err != nil {
			t.Errorf("%q: %v: %s", name, err, line)
		}
		if bytes.Count(line, []byte("\n")) != 1 {
			t.Errorf("%q is not one line: %s", name, line)
		}
		if got.Base64 != "" {
			decoded, err := base64.StdEncoding.DecodeString(got.Base64)
			if err != nil || string([]rune(string(decoded))) != got.Path {
				t.Errorf("%q: path %q does not stand for the bytes %q (%v)", name, got.Path, decoded, err)
			}
			got.Path = string(decoded)
		}
		if got.Path != name {
			t.Errorf("%q became %q", name, got.Path)
		}
	}
}

func TestLinesOfEvents(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "f", Err: syscall.EACCES}
	tests := []struct {
		event report.Event
		want  string
	}{
		{report.Event{Kind: report.Mkdir, Dir: "a", Name: "b", IsDir: true, Diff: report.DiffNew}, `{"event":"mkdir","t":1.500000,"path":"a/b","type":"dir","changes":["new"]}`},
		{report.Event{Kind: report.Replace, Name: "f", Size: 7, Diff: report.DiffSize | report.DiffMtime}, `{"event":"replace","t":1.500000,"path":"f","type":"file","size":7,"changes":["size","mtime"]}`},
		{report.Event{Kind: report.Symlink, Name: "l", Target: "f", Diff: report.DiffNew}, `{"event":"symlink","t":1.500000,"path":"l","type":"symlink","target":"f","changes":["new"]}`},
		{report.Event{Kind: report.Deleting, Name: "f"}, `{"event":"deleting","t":1.500000,"path":"f"}`},
		{report.Event{Kind: report.Unkept, Root: "DST", Name: "f", Attr: report.Owner, Asked: true, Err: syscall.EPERM}, `"path":"DST/f","attribute":"owner","asked":true,"errno":1,`},
		{report.Event{Kind: report.Fail, Root: "SRC", Name: "f", Err: denied}, `{"event":"fail","t":1.500000,"path":"SRC/f","op":"open","errno":13,"error":"permission denied","message":"open: permission denied","remedy":"run psync as root`},
	}
	for _, tt := range tests {
		r := &Recorder{}
		if got := string(r.appendEvent(nil, tt.event, 1500*time.Millisecond)); !strings.Contains(got, tt.want) || !json.Valid([]byte(got)) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestAnEventIsWrittenAfterASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log file
		r := newRecorder(t, &log, nil)
		r.Event(report.Event{Kind: report.Copy, Name: "f"})
		if strings.Contains(log.text(), `"copy"`) {
			t.Error("each event is written by itself")
		}
		time.Sleep(1001 * time.Millisecond)
		if !strings.Contains(log.text(), `"copy"`) {
			t.Errorf("not written after a second: %s", log.text())
		}
		if err := r.End(Outcome{}); err != nil {
			t.Error(err)
		}
	})
}

func TestRemovalsAreWrittenBeforeTheyAreDone(t *testing.T) {
	var log, text file
	r := newRecorder(t, &log, &text)
	next := new(sink)
	r.Before(next)
	r.Event(report.Event{Kind: report.Copy, Name: "earlier"})
	r.Event(report.Event{Kind: report.Deleting, Name: "f"})
	if got := log.text(); !strings.Contains(got, `"earlier"`) || !strings.Contains(got, `{"event":"deleting"`) {
		t.Errorf("not written: %s", got)
	}
	if got := text.text(); !strings.Contains(got, "] deleting f\n") {
		t.Errorf("not written for people: %s", got)
	}
	if len(next.events) != 1 {
		t.Errorf("%d events were passed on, want only what was done", len(next.events))
	}
	if err := r.End(Outcome{}); err != nil {
		t.Error(err)
	}
}

func TestLinesAreNeverSplit(t *testing.T) {
	var log, text file
	r := newRecorder(t, &log, &text)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				r.Event(report.Event{Kind: report.Copy, Dir: strings.Repeat("d", 100), Name: "f"})
			}
		})
	}
	wg.Wait()
	r.Audit(map[string]bool{"complete": true})
	if err := r.End(Outcome{}); err != nil {
		t.Error(err)
	}
	for _, f := range []*file{&log, &text} {
		for _, w := range f.writes {
			if !strings.HasSuffix(w, "\n") {
				t.Fatalf("a line is split: %q", w[max(0, len(w)-50):])
			}
		}
	}
	lines := strings.Split(strings.TrimSuffix(log.text(), "\n"), "\n")
	if len(lines) != 16002 || !strings.Contains(lines[16001], `"events":{"copy":16000},"audit":{"complete":true}}`) {
		t.Errorf("%d lines; the last: %s", len(lines), lines[len(lines)-1])
	}
}

func TestALogThatCannotBeWrittenIsReportedAtTheEnd(t *testing.T) {
	full := errors.New("full")
	log := &file{err: full}
	r := newRecorder(t, log, nil)
	r.Event(report.Event{Kind: report.Deleting, Name: "f"})
	if err := r.End(Outcome{}); !errors.Is(err, full) || len(log.writes) != 1 {
		t.Errorf("End = %v after %d writes", err, len(log.writes))
	}
	var none *Recorder
	none.Audit(1)
	if err := none.End(Outcome{}); err != nil {
		t.Error(err)
	}
}

func BenchmarkEvent(b *testing.B) {
	r := NewRecorder(Config{JSON: new(discard)})
	r.Before(new(nothing))
	r.Start(Start{})
	e := report.Event{Kind: report.Copy, Dir: "some/directory/below", Name: "file.txt", Size: 12345, Diff: report.DiffNew}
	b.ReportAllocs()
	for b.Loop() {
		r.Event(e)
	}
	if err := r.End(Outcome{}); err != nil {
		b.Fatal(err)
	}
}

type nothing struct{}

func (nothing) Event(report.Event) {}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"psync/internal/cli/flags"
	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/operand/location"
	"psync/internal/report"
	"psync/internal/vfs"
)

func TestExitCode(t *testing.T) {
	totals := func(c ...report.Count) (t report.Totals) {
		for _, c := range c {
			t[c]++
		}
		return t
	}
	full := &engine.FatalError{Err: syscall.ENOSPC}
	tests := []struct {
		name   string
		totals report.Totals
		err    error
		want   int
	}{
		{"all is well", totals(report.FilesMade), nil, ExitOK},
		{"specials are no failure", totals(report.SpecialsSeen), nil, ExitOK},
		{"failed", totals(report.Failed), nil, ExitFailed},
		{"vanished", totals(report.Vanished), nil, ExitVanished},
		{"failed and vanished", totals(report.Failed, report.Vanished), nil, ExitFailed},
		{"attribute asked for", totals(report.Unkeeps), nil, ExitFailed},
		{"full", totals(report.Failed), full, ExitFatal},
		{"unmounted", totals(), &engine.RootError{Label: "DST"}, ExitFatal},
		{"interrupted", totals(report.Failed), ErrInterrupted, ExitInterrupted},
		{"cancelled", totals(), context.Canceled, ExitInterrupted},
		{"anything else", totals(), errors.New("queue"), ExitFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitCode(tt.totals, tt.err); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

func TestFit(t *testing.T) {
	tests := []struct{ workers, limit, want, dirs int }{
		{16, 1 << 20, 16, openDirs},
		{1024, 1 << 20, 1024, openDirs},
		{16, 1024, 16, openDirs},
		{64, 1024, 64, openDirs},
		{16, 256, 16, fewDirs},
		{1024, 1024, 144, fewDirs},
		{16, 160, 1, fewDirs},
		{16, 60, 1, fewDirs},
		{16, 36, 1, 4},
		{16, 24, 1, 1},
	}
	for _, tt := range tests {
		if got, dirs := fit(tt.workers, 0, tt.limit); got != tt.want || dirs != tt.dirs {
			t.Errorf("fit(%d, %d) = %d, %d, want %d, %d", tt.workers, tt.limit, got, dirs, tt.want, tt.dirs)
		}
	}
}

// TestEveryRefusalHasAHint goes through the errors that end a run before it starts.
func TestEveryRefusalHasAHint(t *testing.T) {
	for _, err := range []error{
		operand.ErrMissing, operand.ErrSame, operand.ErrSourceInDest,
		operand.ErrDestMissing, operand.ErrNoParent, operand.ErrDestNotDir,
		&vfs.LostError{Host: "host", Err: io.EOF}, &location.Error{Err: location.ErrNoHost}, errSeveralHosts, operand.ErrClash, operand.ErrEmpty,
		&engine.FatalError{Err: syscall.EROFS}, new(openFilesError),
	} {
		if hintFor(fmt.Errorf("/path: %w", err)) == "" {
			t.Errorf("no hint for %q", err)
		}
	}
	if hint := hintFor(errors.New("something else")); hint != "" {
		t.Errorf("hint for an unknown error: %q", hint)
	}
	if hint := hintFor(nil); hint != "" {
		t.Errorf("hint for no error: %q", hint)
	}
}

func TestHintToGoOnWithAJournal(t *testing.T) {
	for _, resumes := range []bool{false, true} {
		o := new(flags.Options)
		o.UI.Resumes = resumes
		for _, err := range []error{&vfs.LostError{Host: "host", Err: io.EOF}, new(engine.StopError), new(engine.RootError), &engine.FatalError{Err: syscall.EROFS}} {
			if hint := hintIn(o, err); strings.Contains(hint, "--resume") != resumes {
				t.Errorf("a run that goes on with --resume: %t; the hint for %T is %q", resumes, err, hint)
			}
		}
	}
}

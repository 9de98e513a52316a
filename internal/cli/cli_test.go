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
	"psync/internal/run"
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
		{"interrupted", totals(report.Failed), run.ErrInterrupted, ExitInterrupted},
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

// TestEveryRefusalHasAHint goes through the errors that end a run before it starts.
func TestEveryRefusalHasAHint(t *testing.T) {
	for _, err := range []error{
		operand.ErrMissing, operand.ErrSame, operand.ErrSourceInDest,
		operand.ErrDestMissing, operand.ErrNoParent, operand.ErrDestNotDir,
		&vfs.LostError{Host: "host", Err: io.EOF}, &location.Error{Err: location.ErrNoHost}, run.ErrSeveralHosts, operand.ErrClash, operand.ErrEmpty,
		&engine.FatalError{Err: syscall.EROFS}, new(run.OpenFilesError),
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

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

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

// TestHintAfterALimit checks that --resume is named only where there is a journal, and that a run is not said to go on if it
// copies all again.
func TestHintAfterALimit(t *testing.T) {
	const (
		goesOn = "run the same command again: it goes on where this one ended"
		resume = "run the same command again with --resume: it goes on where this one ended"
		sync   = "run the same command again, as psync sync, which goes on where this one ended"
		anew   = "run the same command again: it copies all again, as size and time do not show what is done"
	)
	for _, tt := range []struct {
		verb flags.Verbs
		line string
		want string
	}{
		{flags.Sync, "", goesOn},
		{flags.Sync, "--journal=j", resume},
		{flags.Sync, "--journal=j --resume", goesOn}, // which has --resume
		{flags.Sync, "--no-times", anew},
		{flags.Sync, "--no-times --journal=j", resume},
		{flags.Sync, "--no-times --size-only", goesOn},
		{flags.Sync, "--no-times -c", goesOn},
		{flags.Sync, "--no-times --update", goesOn},
		{flags.Sync, "-I", anew},
		{flags.Sync, "--ignore-existing --no-times", goesOn},
		{flags.Copy, "", sync},
		{flags.Copy, "--journal=j", resume},
		{flags.Copy, "--journal=j --resume", goesOn},
		{flags.Copy, "--no-times", anew},
		{flags.Bare, "", anew},
		{flags.Bare, "--times", sync},
		{flags.Bare, "--journal=j", resume},
	} {
		c := new(cobra.Command)
		o := flags.Define(c, tt.verb)
		if err := errors.Join(c.ParseFlags(strings.Fields(tt.line)), o.Complete(c.Flags(), nil)); err != nil {
			t.Errorf("%s: %v", tt.line, err)
		} else if got := hintIn(o, &engine.StopError{Limit: errors.New("limit")}); got != tt.want {
			t.Errorf("%d %s: %s; want %s", tt.verb, tt.line, got, tt.want)
		}
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

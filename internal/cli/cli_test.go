package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/report"
)

func TestExpandWords(t *testing.T) {
	verbs := []string{"copy", "version"}
	tests := []struct{ args, want string }{
		{"-threads 32 /a /b", "--threads=32 /a /b"},
		{"-threads=32 /a /b", "--threads=32 /a /b"},
		{"--threads 32 /a /b", "--threads 32 /a /b"},
		{"-j32 /a /b", "-j32 /a /b"},
		{"-verbose -quiet a b", "--verbose --quiet a b"},
		{"-owner a b", "--owner --group a b"},
		{"-owner=false a b", "--owner=false --group=false a b"},
		{"-times a b", "--times --atimes a b"},
		{"-create -dryrun a b", "--create --dry-run a b"},
		{"a b -times", "a b --times --atimes"},
		{"a b -threads", "a b --threads"}, // the flag's own error says that a value is missing
		{"-- -times a", "-- -times a"},
		{"-times -- -times a", "--times --atimes -- -times a"},
		{"-time a b", "-time a b"},
		{"copy -owner a b", "copy -owner a b"},
		{"-threads 3 copy -owner a b", "--threads=3 copy -owner a b"},
		{"src copy -owner", "src copy --owner --group"},
		{"-j 3 copy -owner a b", "-j 3 copy -owner a b"},
		{"--threads copy a -owner", "--threads copy a --owner --group"},
		{"./copy -owner b", "./copy --owner --group b"},
		{"", ""},
	}
	for _, tt := range tests {
		got := expandWords(strings.Fields(tt.args), func(s string) bool { return slices.Contains(verbs, s) },
			func(s string) bool { return s == "-j" || s == "--threads" })
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%s\n got %q\nwant %s", tt.args, got, tt.want)
		}
	}
}

func TestFlags(t *testing.T) {
	tests := []struct {
		verb verb
		args string
		err  string // "": there is none
	}{
		{bareVerb, "-rltj8", ""},
		{copyVerb, "--progress --no-progress", "exclude each other"},
		{copyVerb, "-j 1025", "1 to 1024"},
		{copyVerb, "-j -1", "1 to 1024"},
		{copyVerb, "--transfers 4", ""},
		{copyVerb, "--recursive=false", "with what is in them: --recursive cannot be switched off"},
		{copyVerb, "--no-recursive", "with what is in them: --recursive cannot be switched off"},
		{copyVerb, "-r --no-r", "with what is in them: --recursive cannot be switched off"},
		{copyVerb, "--no-r -r", ""},
		{copyVerb, "--links=false", "as what they are: --links cannot be switched off"},
		{copyVerb, "--no-links", "as what they are: --links cannot be switched off"},
		{copyVerb, "-l --no-l", "as what they are: --links cannot be switched off"},
		{copyVerb, "--no-l -l", ""},
		{copyVerb, "-y", "unknown shorthand"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d %s", tt.verb, tt.args), func(t *testing.T) {
			_, err := parse(tt.verb, strings.Fields(tt.args)...)
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want one about %q", err, tt.err)
			}
		})
	}
}

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
		{16, 10, 1, fewDirs},
	}
	for _, tt := range tests {
		if got, dirs := fit(tt.workers, 0, tt.limit); got != tt.want || dirs != tt.dirs {
			t.Errorf("fit(%d, %d) = %d, %d, want %d, %d", tt.workers, tt.limit, got, dirs, tt.want, tt.dirs)
		}
	}
}

// TestEveryRefusalHasARemedy goes through the errors that end a run before it starts.
func TestEveryRefusalHasARemedy(t *testing.T) {
	for _, err := range []error{
		operand.ErrMissing, operand.ErrSame, operand.ErrSourceInDest,
		operand.ErrDestMissing, operand.ErrNoParent, operand.ErrDestNotDir,
		operand.ErrRemote, operand.ErrClash, operand.ErrEmpty,
		&engine.FatalError{Err: syscall.EROFS},
	} {
		if remedy(fmt.Errorf("/path: %w", err)) == "" {
			t.Errorf("no remedy for %q", err)
		}
	}
	if hint := remedy(errors.New("something else")); hint != "" {
		t.Errorf("remedy for an unknown error: %q", hint)
	}
	if hint := remedy(nil); hint != "" {
		t.Errorf("remedy for no error: %q", hint)
	}
}

package cli

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"psync/internal/cli/flags"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/ui"
)

func TestPrivateOperandsHaveAHint(t *testing.T) {
	refused := &fs.PathError{Op: "open", Path: "Library/Mail", Err: syscall.EPERM}
	for _, tt := range []struct {
		system *metadata.Profile
		err    error
		want   string
	}{
		{metadata.Darwin, refused, privacyHint},
		{metadata.Darwin, &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, ""},
		{metadata.Linux, refused, ""},
	} {
		if got := hintOn(tt.system, tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestPrivateEntriesHaveOneHintARun(t *testing.T) {
	for failures, want := range map[int64]int{0: 0, 1: 1, 3: 1} {
		var stderr bytes.Buffer
		a := &app{Process: Process{Stderr: &stderr}}
		var totals report.Totals
		totals[report.Failed], totals[report.Private] = 5, failures
		a.summarize(new(flags.Options), ui.New(ui.Config{Out: io.Discard, Err: &stderr}), run.Result{Totals: totals})
		if got := strings.Count(stderr.String(), "psync: hint: "+privacyHint+"\n"); got != want {
			t.Errorf("%d failures: %d hints, want %d:\n%s", failures, got, want, &stderr)
		}
	}
}

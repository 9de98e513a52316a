package job

import (
	"errors"
	"syscall"
	"testing"

	"psync/internal/engine/attrs"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// TestFailuresThatEndTheRunCount has a second worker hit what ends a run before the first has stopped the run: the
// directory must not be recorded as done.
func TestFailuresThatEndTheRunCount(t *testing.T) {
	for _, err := range []error{&vfs.LostError{Err: errors.New("gone")}, syscall.ENOSPC} {
		r := &Run{Stop: func(error) {}}
		r.Reporting.stopped.Store(true)
		native := metadata.Native()
		w := &Worker{Run: r, Count: new(report.Stats).Counter(), Attrs: attrs.Setter{Policy: &attrs.Policy{Source: native, Dest: native}}}
		d := new(Dir)
		w.Fail(d, pairs.Dest, "f", err)
		if n := d.Left.Failures.Load(); n != 1 {
			t.Errorf("%v: %d failures, want 1", err, n)
		}
	}
}

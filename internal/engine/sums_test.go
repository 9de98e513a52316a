package engine

import (
	"slices"
	"testing"

	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// TestContentsFarAwayAreComparedBySums checks that no contents are read on the other host.
func TestContentsFarAwayAreComparedBySums(t *testing.T) {
	const tree = "same 644 @2001-01-01T00:00:00Z \"text\"*500000\n"
	const there = tree + "other 644 @2001-01-01T00:00:00Z \"text\"*500000"
	b := newSync(t, tree+"other 644 @2001-01-01T00:00:00Z \"TEXT\"*500000", "")
	b.onto(t, memfs.NewFar(), there)
	b.job.Checksum, b.job.Compare, b.job.DryRun = true, true, true
	ops := new(opCounter)
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error { return ops.hook(op, "") })
	b.mustRun(t)
	var differ []string
	for _, e := range b.record.events {
		differ = append(differ, e.Path())
	}
	if !slices.Equal(differ, []string{"other"}) || ops.n["read"] > 0 {
		t.Errorf("%q differ, after %v", differ, ops.n)
	}
}

package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// A slipping directory omits as many entries from a listing as are removed in the meantime, as file systems do whose
// positions in a listing are numbers.
type slipping struct {
	vfs.Dir
	removed *atomic.Int64
}

func (s slipping) Unwrap() vfs.Dir { return s.Dir }

func (s slipping) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := s.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return slipping{sub, new(atomic.Int64)}, nil
}

func (s slipping) Remove(name string, only *vfs.Premise) error {
	err := s.Dir.Remove(name, only)
	if err == nil {
		s.removed.Add(1)
	}
	return err
}

func (s slipping) ReadDir(yield func([]vfs.Entry) error) error {
	before := s.removed.Load()
	return s.Dir.ReadDir(func(entries []vfs.Entry) error {
		slip := min(s.removed.Load()-before, int64(len(entries)))
		before += slip
		return yield(entries[slip:])
	})
}

// TestMoreThanAFewExtraneousEntries has more extraneous entries than are kept in memory, some of which cannot be
// removed.
func TestMoreThanAFewExtraneousEntries(t *testing.T) {
	const n, dirs = 4096 + 1001, 7
	var dst strings.Builder
	dst.WriteString("d/f 644 x\n")
	for i := range n {
		fmt.Fprintf(&dst, "d/gone%05d 644 x\n", i)
	}
	for i := range dirs {
		fmt.Fprintf(&dst, "d/dir%d/f 644 x\n", i)
	}
	immovable := func(name string) bool { return strings.HasPrefix(name, "gone") && strings.HasSuffix(name, "3") }
	tests := []struct {
		name      string
		slips     bool
		immovable func(name string) bool
		dryRun    bool
		limit     int64 // 0: none
		exceeded  bool
	}{
		{name: "all listed"},
		{name: "some left out", slips: true},
		{name: "some cannot be removed", immovable: immovable},
		{name: "some left out, some cannot be removed", slips: true, immovable: immovable},
		{name: "none can be removed", slips: true, immovable: func(string) bool { return true }},
		{name: "dry run", slips: true, dryRun: true},
		{name: "limit", slips: true, limit: n + 2*dirs},
		{name: "limit, some cannot be removed", slips: true, limit: n + 2*dirs, immovable: immovable},
		{name: "limit, dry run", limit: n + 2*dirs, dryRun: true},
		{name: "limit exceeded", slips: true, limit: n + 2*dirs - 1, exceeded: true},
	}
	for _, tt := range tests {
		for _, threads := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", tt.name, threads), func(t *testing.T) {
				b := newMirror(t, "d/f 644 x\n", dst.String())
				b.job.Threads, b.job.DryRun = threads, tt.dryRun
				if tt.limit > 0 {
					b.job.Delete.Max = &plan.Limit{N: tt.limit}
				}
				if tt.slips {
					b.job.Dest = slipping{b.job.Dest, new(atomic.Int64)}
				}
				var want, stay []string
				for i := range n {
					if name := fmt.Sprintf("gone%05d", i); tt.immovable != nil && tt.immovable(name) {
						stay = append(stay, "fail DST/d/"+name)
					} else {
						want = append(want, "delete d/"+name)
					}
				}
				for i := range dirs {
					want = append(want, fmt.Sprintf("delete d/dir%d", i), fmt.Sprintf("delete d/dir%d/f", i))
				}
				b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
					if op == "remove" && tt.immovable != nil && tt.immovable(name) && name != "f" {
						return syscall.EACCES
					}
					return nil
				})
				err := b.run(t.Context())
				var limit *job.LimitError
				switch {
				case tt.exceeded && (!errors.As(err, &limit) || limit.Extraneous != tt.limit+1):
					t.Errorf("Run = %v, want %d to be too many", err, tt.limit+1)
				case tt.exceeded:
					want = nil
				case err != nil:
					t.Errorf("Run = %v", err)
				}
				slices.Sort(want)
				wantEach(t, b.record.lines(report.Delete), want)
				wantEach(t, b.record.lines(report.Fail), stay)
			})
		}
	}
}

// wantEach compares many lines.
func wantEach(t *testing.T, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	diff := differing(strings.Join(got, "\n")+"\n", strings.Join(want, "\n")+"\n")
	t.Errorf("%d reported, want %d; differing:\n%.1000s", len(got), len(want), diff)
}

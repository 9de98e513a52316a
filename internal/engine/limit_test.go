package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// TestLimit has a destination of 19 entries, 8 of them extraneous: 5 are a tree (itself, a directory, 3 files), 1 is
// a file, and 2 are a directory in the way of a file.
func TestLimit(t *testing.T) {
	const (
		src = "a/f 644 x\na/g 644 x\nb/c/f 644 x\nb/c/g 644 x\nb/c/h 644 x\nb/c/i 644 x\nb/c/j 644 x\nway 644 x\nl -> x\n"
		dst = "a/f 644 x\na/g 644 x\nb/c/f 644 x\nb/c/g 644 x\nb/c/h 644 x\nb/c/i 644 x\nb/c/j 644 x\nway/f 644 x\nl -> x\n" +
			"b/gone/f 644 x\nb/gone/sub/f 644 x\nb/gone/sub/g 644 x\na/gone 644 x\n"
	)
	tests := []struct {
		limit plan.Limit
		want  int64 // the reported limit, or -1 if everything is removed
	}{
		{plan.Limit{N: 8}, -1},
		{plan.Limit{N: 7}, 7},
		{plan.Limit{N: 0}, 0},
		{plan.Limit{N: 1 << 40}, -1},
		{plan.Limit{N: 100, Percent: true}, -1},
		{plan.Limit{N: 43, Percent: true}, -1}, // 8.2 entries
		{plan.Limit{N: 42, Percent: true}, 7},  // 7.98
		{plan.Limit{N: 0, Percent: true}, 0},
	}
	for _, tt := range tests {
		for _, threads := range []int{1, 16} {
			for _, dryRun := range []bool{true, false} {
				t.Run(fmt.Sprintf("%v, %d threads, dry run %v", tt.limit, threads, dryRun), func(t *testing.T) {
					b := newMirror(t, src, dst)
					b.job.Threads, b.job.DryRun = threads, dryRun
					b.job.Delete.Max = &tt.limit
					_, before := b.trees(t)
					err := b.run(t.Context())
					if tt.want < 0 {
						if err != nil {
							t.Fatal(err)
						}
						if n := len(b.record.lines(report.Delete)); n != 7 {
							t.Errorf("%d entries reported, want 7 and the directory in the way", n)
						}
						if src, dst := b.trees(t); !dryRun && src != dst {
							t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
						}
						return
					}
					var limit *job.LimitError
					if !errors.As(err, &limit) || limit.Extraneous != 8 || limit.Limit != tt.want {
						t.Fatalf("Run = %v, want that 8 entries are more than %d", err, tt.want)
					}
					b.wantEvents(t, nil, report.Delete, report.Fail)
					if _, after := b.trees(t); after != before {
						t.Errorf("destination:\n%s\nwas:\n%s", after, before)
					}
				})
			}
		}
	}
}

// TestOverTheLimitAllElseIsDone copies and replaces although nothing may be removed.
func TestOverTheLimitAllElseIsDone(t *testing.T) {
	b := newMirror(t, rich, stale)
	b.job.Delete.Max = &plan.Limit{N: 0}
	var limit *job.LimitError
	if err := b.run(t.Context()); !errors.As(err, &limit) {
		t.Fatalf("Run = %v, want a job.LimitError", err)
	}
	_, dst := b.trees(t)
	for _, line := range []string{"changed/longer 644 (72 bytes", "changed/newer 644 src\n", "new/sub/f 444 x\n", "types/file-over-dir 644 x\n", "gone/sub/sub/f 644 old", "same/gone 644 old", "types/file-over-full-dir/sub/f 644 old"} {
		if !strings.Contains(dst, line) {
			t.Errorf("destination lacks %q:\n%s", line, dst)
		}
	}
	b.job.Delete.Max = nil
	b.mustRun(t)
	b.wantEqual(t)
}

// TestPartialLimitRemovesThatMany removes as much as the limit with each run, until nothing is left to remove.
func TestPartialLimitRemovesThatMany(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, "same 644 x\n", "same 644 x\na 644 x\nd/a 644 x\nd/sub/a 644 x\nd/sub/b 644 x\n") // 6 are extraneous
		b.job.Threads, b.job.Delete.Max = threads, &plan.Limit{N: 4, Partial: true}
		err := b.run(t.Context())
		if limit, ok := errors.AsType[*job.LimitError](err); !ok || !limit.Partial {
			t.Errorf("Run = %v, want a partial job.LimitError", err)
		}
		if n := len(b.record.lines(report.Delete)); n != 4 {
			t.Errorf("%d entries were removed, want 4", n)
		}
		b.mustRun(t)
		b.wantEqual(t)
	}
}

// TestSparedEntriesDoNotCount has only one entry that would be removed.
func TestSparedEntriesDoNotCount(t *testing.T) {
	tests := []struct {
		name string
		dst  string
		set  func(*testing.T, *testbed)
	}{
		{"protected", "kept 644 x\nd/kept 644 x\n", func(_ *testing.T, b *testbed) {
			b.job.Rules = paths{protected: []string{"kept", "d/kept"}}
		}},
		{"backups", "a~ 644 x\nd/b~ 644 x\n", func(_ *testing.T, b *testbed) { b.job.Backup = backup.Options{On: true, Suffix: "~"} }},
		{"directory of backups", "bak/a 644 x\nbak/b 644 x\nbak/sub/c 644 x\n", func(t *testing.T, b *testbed) {
			b.job.Backup = backup.Options{On: true, Dir: b.inside(t, "bak")}
		}},
		{"directory of alternatives", "prev/a 644 x\nprev/b 644 x\n", func(t *testing.T, b *testbed) {
			b.job.Alternatives = job.Alternatives{Dirs: []vfs.Dir{b.inside(t, "prev")}}
		}},
		{"directory of temporaries", "tmp/a 644 x\ntmp/b 644 x\n", func(t *testing.T, b *testbed) { b.job.TempDir = b.inside(t, "tmp") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, "d/f 644 x\n", "gone 644 x\n"+tt.dst)
			tt.set(t, b)
			b.job.Delete.Max = &plan.Limit{N: 1}
			if err := b.run(t.Context()); err != nil {
				t.Fatalf("Run = %v, want nil", err)
			}
			b.wantEvents(t, []string{"delete gone"}, report.Delete)
		})
	}
}

// TestFailuresOfTheSecondPassAreReported makes something fail in the source only when the deferred removals are carried
// out.
func TestFailuresOfTheSecondPassAreReported(t *testing.T) {
	tests := []struct{ name, op string }{
		{"the source cannot be listed any more", "readdir ."},
		{"the file for whose sake a directory goes cannot be opened any more", "open way"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, "f 644 x\nway 644 x\n", "gone 644 x\nway/f 644 x\n")
			b.job.Delete.Max = &plan.Limit{N: 100}
			b.job.Threads = 1
			seen := 0
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
				if op+" "+name == tt.op {
					if seen++; seen == 2 {
						return syscall.EIO
					}
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if seen < 2 {
				t.Fatalf("%s came %d times, want 2", tt.op, seen)
			}
			if src, dst := b.trees(t); src != dst && b.record.lines(report.Fail) == nil {
				t.Errorf("nothing was reported, but the destination is\n%s", dst)
			}
		})
	}
}

// TestDeferredRemovalsAreDoneInEveryDirectory has many deferred removals and few open directories.
func TestDeferredRemovalsAreDoneInEveryDirectory(t *testing.T) {
	var src, dst strings.Builder
	for i := range 10 {
		for j := range 5 {
			fmt.Fprintf(&src, "d%d/e%d/f 644 @2001-01-01T00:00:00Z x\n", i, j)
			fmt.Fprintf(&dst, "d%d/e%d/gone/sub/f 644 x\n", i, j)
		}
	}
	for _, open := range []int{1, 0} {
		for _, threads := range []int{1, 16} {
			b := newMirror(t, src.String(), dst.String())
			b.job.Threads, b.job.OpenDirs = threads, open
			b.job.Delete.Max = &plan.Limit{N: 150}
			b.job.Keep = metadata.Keep{Mtime: true, Modes: true}
			before := b.dst.Open()
			b.mustRun(t)
			if after := b.dst.Open(); after != before {
				t.Errorf("%d handles stay open", after-before)
			}
			b.wantEqual(t)
			if n := len(b.record.lines(report.Delete)); n != 150 {
				t.Errorf("%d removed, want 150", n)
			}
		}
	}
}

// TestDeferredRemovalsOpenDirectoriesOnce has directories deep in a tree, which others lead to.
func TestDeferredRemovalsOpenDirectoriesOnce(t *testing.T) {
	var src, dst strings.Builder
	const deep = 20
	for i := range deep {
		dir := strings.Repeat("d/", i+1)
		fmt.Fprintf(&src, "%se/f 644 @2001-01-01T00:00:00Z x\n", dir)
		fmt.Fprintf(&dst, "%sgone 644 x\n%[1]se/gone 644 x\n", dir)
	}
	b := newMirror(t, src.String(), dst.String())
	b.job.Threads, b.job.Delete.Max = 1, &plan.Limit{N: 1000}
	opened := 0
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "opendir" {
			opened++
		}
		return nil
	})
	b.mustRun(t)
	if most := 5 * deep; opened > most {
		t.Errorf("directories were opened %d times, want %d at most: about twice each", opened, most)
	}
}

func TestTotalsOfTwoPassesCountOnce(t *testing.T) {
	b, once := newMirror(t, rich, stale), newMirror(t, rich, stale)
	b.job.Delete.Max = &plan.Limit{N: 1000}
	b.mustRun(t)
	once.mustRun(t)
	if got, want := b.job.Stats.Totals(), once.job.Stats.Totals(); got != want {
		t.Errorf("totals %v, without a limit %v", got, want)
	}
	if got, want := b.record.all(), once.record.all(); !slices.Equal(got, want) {
		t.Errorf("reported\n%s\nwithout a limit\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

package engine

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// shareAll sets whether a test shares everything.
func shareAll(t *testing.T, all bool) {
	was := alwaysShare
	alwaysShare = all
	t.Cleanup(func() { alwaysShare = was })
}

// manyEntries returns two trees, one directory of which has very many entries of all sorts. If linked
// is true, some files have several names.
func manyEntries(linked bool) (src, dst string) {
	var from, to strings.Builder
	const stamp = "@2001-01-01T00:00:00Z"
	for i := range 210 {
		name := fmt.Sprintf("flat/e%03d", i)
		switch i % 8 {
		case 0:
			fmt.Fprintf(&from, "%s 644 %s new\n", name, stamp)
		case 1:
			fmt.Fprintf(&from, "%s 644 %s equal\n", name, stamp)
			fmt.Fprintf(&to, "%s 644 %s equal\n", name, stamp)
		case 2:
			fmt.Fprintf(&from, "%s 644 %s changed\n", name, stamp)
			fmt.Fprintf(&to, "%s 600 old\n", name)
		case 3:
			fmt.Fprintf(&from, "%s 640 %s mode\n", name, stamp)
			fmt.Fprintf(&to, "%s 600 %s mode\n", name, stamp)
		case 4:
			fmt.Fprintf(&from, "%s %s -> new\n", name, stamp)
			fmt.Fprintf(&to, "%s 644 %s typed\n", name, stamp)
		case 5:
			fmt.Fprintf(&to, "%s 644 %s gone\n", name, stamp)
		case 6:
			fmt.Fprintf(&from, "%s/ 755 %s\n%s/f 644 %s below\n", name, stamp, name, stamp)
			fmt.Fprintf(&to, "%s/gone 644 %s below\n%s.gone/f 644 gone\n", name, stamp, name)
		case 7:
			fmt.Fprintf(&from, "%s 644 %s over a directory\n", name, stamp)
			fmt.Fprintf(&to, "%s/f 644 in the way\n", name)
		}
		if linked && i%8 == 0 {
			fmt.Fprintf(&from, "flat/l%03d (= %s)\nother/l%03d (= %s)\n", i, name, i, name)
			fmt.Fprintf(&to, "other/l%03d 644 foreign\n", i)
		}
	}
	from.WriteString("./ 755 " + stamp + "\nflat/ 755 " + stamp + "\nother/f 644 " + stamp + " x\nother/ 755 " + stamp + "\n")
	to.WriteString("prev/flat/e000 644 " + stamp + " new\nprev/flat/e008 600 " + stamp + " new\nbak/ 755\ntmp/ 755\n")
	return from.String(), to.String()
}

// failing returns a hook that fails about one in the given number of operations, always the same ones.
func failing(one uint32) func(op, name string) error {
	ops := []string{"open", "create", "symlink", "rename", "remove", "chmod", "fchmod", "mkdir", "fclose"}
	if one < 10 { // with these nothing can be counted
		ops = append(ops, "opendir", "rmdir")
	}
	return func(op, name string) error {
		h := fnv.New32a()
		fmt.Fprint(h, op, name)
		switch {
		case one == 0 || name == "." || strings.HasPrefix(name, tempPrefix) || h.Sum32()%one != 0:
			return nil
		case slices.Contains(ops, op):
			return syscall.EIO
		}
		return nil
	}
}

// An outcome is what must not depend on which worker does what.
type outcome struct {
	reported []string
	totals   report.Totals
	dst      string
	err      string
}

// outcomeOf runs a job and returns its outcome.
func (b *testbed) outcomeOf(t *testing.T) outcome {
	t.Helper()
	from, to := b.src.Open(), b.dst.Open()
	err := b.run(t.Context())
	if s, d := b.src.Open(), b.dst.Open(); s != from || d != to {
		t.Errorf("%d source and %d destination handles stay open", s-from, d-to)
	}
	_, dst := b.trees(t, fstest.WithMtimes, fstest.WithLinks)
	// Entries that are not from the source have the time of the operation that made or changed them.
	dst = regexp.MustCompile(` @2020-\S+`).ReplaceAllString(dst, "")
	return outcome{b.record.all(), b.job.Stats.Totals(), dst, fmt.Sprint(err)}
}

// TestResultsDoNotDependOnWhoDoesWhat compares runs of one worker, which does one thing after another, with those of
// many that share everything, with and without failures.
func TestResultsDoNotDependOnWhoDoesWhat(t *testing.T) {
	tests := []struct {
		name   string
		linked bool
		fresh  bool
		set    func(t *testing.T, b *testbed)
	}{
		{"copy", false, true, func(*testing.T, *testbed) {}},
		{"sync", false, false, func(*testing.T, *testbed) {}},
		{"delete", false, false, func(_ *testing.T, b *testbed) { b.job.Delete.On = true }},
		{"max-delete", false, false, func(_ *testing.T, b *testbed) { b.job.Delete = plan.Delete{On: true, Max: &plan.Limit{N: 10000}} }},
		{"max-delete, dry run", false, false, func(_ *testing.T, b *testbed) {
			b.job.Delete, b.job.DryRun = plan.Delete{On: true, Max: &plan.Limit{N: 10000}}, true
		}},
		{"dry run", false, false, func(_ *testing.T, b *testbed) { b.job.Delete.On, b.job.DryRun = true, true }},
		{"compare", false, false, func(_ *testing.T, b *testbed) { b.job.Compare, b.job.DryRun, b.job.Delete.On = true, true, true }},
		{"checksum", false, false, func(_ *testing.T, b *testbed) { b.job.Policy.Checksum = true }},
		{"backup-dir", false, false, func(t *testing.T, b *testbed) {
			b.job.Delete.On, b.job.Backup = true, backup.Options{On: true, Dir: b.inside(t, "bak")}
		}},
		{"backup", false, false, func(_ *testing.T, b *testbed) {
			b.job.Delete.On, b.job.Backup = true, backup.Options{On: true, Suffix: "~"}
		}},
		{"link-dest", false, false, func(t *testing.T, b *testbed) {
			b.job.Alternatives = job.Alternatives{Kind: plan.LinkDest, Dirs: []vfs.Dir{b.inside(t, "prev")}}
		}},
		{"inplace", false, false, func(_ *testing.T, b *testbed) { b.job.InPlace = true }},
		{"temp-dir", false, false, func(t *testing.T, b *testbed) { b.job.TempDir = b.inside(t, "tmp") }},
		{"hard links", true, true, func(_ *testing.T, b *testbed) { b.job.HardLinks = true }},
		{"hard links of a sync", true, false, func(_ *testing.T, b *testbed) { b.job.HardLinks, b.job.Delete.On = true, true }},
		{"hard links, max-delete", true, false, func(_ *testing.T, b *testbed) {
			b.job.HardLinks, b.job.Delete = true, plan.Delete{On: true, Max: &plan.Limit{N: 10000}}
		}},
	}
	for _, tt := range tests {
		for _, one := range []uint32{0, 23, 5} {
			if tt.linked && one > 0 {
				continue // which name is copied, and fails, is undetermined
			}
			t.Run(fmt.Sprintf("%s, failures %d", tt.name, one), func(t *testing.T) {
				run := func(threads int, all bool) outcome {
					shareAll(t, all)
					src, dst := manyEntries(tt.linked)
					if tt.fresh {
						dst = ""
					}
					b := newSync(t, src, dst)
					b.job.DestIsNew = tt.fresh
					b.job.Threads, b.job.Streams = threads, 1
					tt.set(t, b)
					b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, failing(one))
					b.job.Dest = faultfs.New(b.job.Dest, failing(one))
					return b.outcomeOf(t)
				}
				want := run(1, false)
				if one == 5 && want.totals[report.Failed] == 0 {
					t.Fatal("nothing has failed")
				}
				for _, threads := range []int{2, 16, 16, 16} {
					got := run(threads, true)
					if !tt.linked && !slices.Equal(got.reported, want.reported) {
						t.Errorf("%d workers report something else:\n%s", threads, differing(strings.Join(got.reported, "\n")+"\n", strings.Join(want.reported, "\n")+"\n"))
					}
					if got.totals != want.totals {
						t.Errorf("%d workers count %v, one counts %v", threads, got.totals, want.totals)
					}
					if got.err != want.err {
						t.Errorf("Run of %d workers = %v, of one = %v", threads, got.err, want.err)
					}
					if got.dst != want.dst {
						t.Errorf("%d workers leave something else:\n%s", threads, differing(got.dst, want.dst))
					}
				}
			})
		}
	}
}

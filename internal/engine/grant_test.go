package engine

import (
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestRightsAreNotGivenToForeignContents has another user plant files in the destination that match the size and time
// of those in the source.
func TestRightsAreNotGivenToForeignContents(t *testing.T) {
	const at = " @2001-01-01T00:00:00Z "
	tests := []struct {
		name, src, dst string
		set            func(*testbed)
	}{
		{"set-uid, of another owner", "t 4755" + at + "good", "t 755" + at + "@owner=7:0 evil", nil},
		{"set-uid, writable by others", "t 4755" + at + "good", "t 777" + at + "evil", nil},
		{"set-uid already, of another owner", "t 4755" + at + "good", "t 4755" + at + "@owner=7:0 evil", nil},
		{"set-gid, of another group", "t 2755" + at + "good", "t 755" + at + "@owner=0:7 evil", nil},
		{"a capability", "t 755" + at + "@security.capability=1 good", "t 755" + at + "@owner=7:0 evil", nil},
		{"set-uid, of the same owner", "t 4755" + at + "good", "t 755" + at + "evil", nil},
		{"several names", "t 4755" + at + "good\nu (= t)\n", "t 755" + at + "@owner=7:0 evil\nu (= t)\n", nil},
		{"in place", "t 4755" + at + "good", "t 755" + at + "@owner=7:0 evil", func(b *testbed) { b.job.InPlace = true }},
		{"in place, other time", "t 4755" + at + "good", "t 755 @2002-01-01T00:00:00Z @owner=7:0 evil", func(b *testbed) { b.job.InPlace = true }},
	}
	for _, tt := range tests {
		for _, keeps := range []bool{true, false} {
			t.Run(tt.name, func(t *testing.T) {
				b := newLinked(t, "./ 755"+at+"\n"+tt.src, tt.dst)
				if tt.set != nil {
					tt.set(b)
				}
				before, err := vfs.Lstat(b.job.Dest, "t")
				if err != nil {
					t.Fatal(err)
				}
				b.job.Dest = onVolume(b.job.Dest, vfs.Volume{KeepsAttrs: keeps})
				b.job.DryRun = true
				b.mustRun(t)
				if reported := b.record.lines(report.Replace); len(reported) != 1 {
					t.Errorf("a dry run reports %q, want one file replaced", reported)
				}
				b.job.DryRun = false
				b.mustRun(t)
				b.wantSame(t)
				if after, err := vfs.Lstat(b.job.Dest, "t"); err != nil || after.Ino == before.Ino {
					t.Errorf("it is still what another user may have open: %v", err)
				}
				b.wantNothing(t)
			})
		}
	}
}

// TestRightsAreGivenToKnownContents has a file with the right contents: it is copied anew only if it belonged to
// another user and the volume certainly keeps the rights.
func TestRightsAreGivenToKnownContents(t *testing.T) {
	const src = "./ 755 @2001-01-01T00:00:00Z\nt 4755 @2001-01-01T00:00:00Z good"
	for _, tt := range []struct {
		dst   string
		keeps bool
		want  string
	}{
		{"@owner=7:0 good", true, "replace t"},
		{"@owner=7:0 good", false, "attrs t"},
		{"good", true, "attrs t"},
		{"good", false, "attrs t"},
	} {
		b := newLinked(t, src, "t 755 @2001-01-01T00:00:00Z "+tt.dst)
		b.job.Dest = onVolume(b.job.Dest, vfs.Volume{KeepsAttrs: tt.keeps})
		b.mustRun(t)
		var got []string
		for _, line := range b.record.lines(report.Replace, report.SetAttr) {
			if strings.HasSuffix(line, " t") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, []string{tt.want}) {
			t.Errorf("%+v: reported %q", tt, got)
		}
		b.wantSame(t)
		b.wantNothing(t)
	}
}

// TestAlternativesOfOthersAreNotTaken has another tree with a file of another user.
func TestAlternativesOfOthersAreNotTaken(t *testing.T) {
	for _, kind := range []plan.AlternativeKind{plan.LinkDest, plan.CopyDest} {
		b := newLinked(t, "t 4755 @2001-01-01T00:00:00Z good\n", "")
		other := memfs.New().Root()
		t.Cleanup(func() { other.Close() })
		fstest.Fill(t, other, "t 755 @2001-01-01T00:00:00Z @owner=7:0 evil\n")
		b.job.Alternatives = job.Alternatives{Kind: kind, Dirs: []vfs.Dir{other}}
		b.mustRun(t)
		b.wantSame(t)
	}
}

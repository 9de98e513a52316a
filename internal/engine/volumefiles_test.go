package engine

import (
	"strings"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// The contents of volumes that a Mac has written to.
const (
	usedVolume = `
	.Spotlight-V100/ 700
	.Spotlight-V100/store 600 index
	.fseventsd/ 700
	.fseventsd/log 600 log
	.Trashes/ 1333
	.Trashes/501/ 700
	.Trashes/501/old 600 rubbish
	.DocumentRevisions-V100/ 111
	.TemporaryItems/ 1333
	f 644 text
	sub/ 755
	sub/.Trashes 644 a file
`
	otherVolume = `
	.fseventsd/ 700
	.fseventsd/other 600 log
	.Trashes/ 1333
	.Trashes/501/ 700
	.Trashes/501/mine 600 to be kept
	gone 644 text
`
)

// TestVolumeFilesAreLeftAlone copies between the roots of two volumes, and between one and a directory: what the
// system keeps for itself is neither copied, removed nor compared.
func TestVolumeFilesAreLeftAlone(t *testing.T) {
	all := []string{
		"volumefile SRC/.DocumentRevisions-V100", "volumefile SRC/.Spotlight-V100", "volumefile SRC/.TemporaryItems",
		"volumefile SRC/.Trashes", "volumefile SRC/.fseventsd",
	}
	for _, tt := range []struct {
		name             string
		srcRoot, dstRoot bool
		take             bool // --volume-files
		leaves           bool
	}{
		{"volume to volume", true, true, false, true},
		{"volume to directory", true, false, false, true},
		{"directory to volume", false, true, false, true},
		{"directory to directory", false, false, false, false},
		{"asked for", true, true, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newVolumes(t, tt.srcRoot, tt.dstRoot)
			b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew, b.job.VolumeFiles = true, true, false, tt.take
			b.mustRun(t)
			got := fstest.Tree(t, b.job.Dest)
			if !tt.leaves {
				if want := fstest.Tree(t, b.job.Sources[0].Dir); got != want {
					t.Errorf("got:\n%swant:\n%s", got, want)
				}
				return
			}
			want := `.Trashes/ 1333
.Trashes/501/ 700
.Trashes/501/mine 600 to be kept
.fseventsd/ 700
.fseventsd/other 600 log
f 644 text
sub/ 755
sub/.Trashes 644 a file
`
			if got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
			b.wantEvents(t, append([]string{"delete gone"}, all...), report.VolumeFile, report.Delete)

			b.job.Compare, b.job.DryRun = true, true
			b.record.events = nil
			b.mustRun(t)
			b.wantEvents(t, all, report.VolumeFile, report.Copy, report.Mkdir, report.Delete, report.SetAttr, report.Fail)
		})
	}
}

// newVolumes returns a job between two volumes, or directories of them that look alike.
func newVolumes(t *testing.T, srcRoot, dstRoot bool) *testbed {
	t.Helper()
	b, _ := newMac(t, memfs.Mac{}, false)
	for _, s := range []struct {
		mem    *memfs.FS
		isRoot bool
		tree   string
	}{{b.src, srcRoot, usedVolume}, {b.dst, dstRoot, otherVolume}} {
		d := s.mem.Plant()
		if !s.isRoot {
			fstest.Fill(t, d, "sub/ 755")
			sub, err := d.OpenDir("sub", vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			d = sub
		}
		fstest.Fill(t, d, s.tree)
		if s.mem == b.src {
			b.job.Sources[0].Dir = d
		} else {
			b.job.Dest = d
		}
	}
	return b
}

// TestOnlyVolumeFilesIsEmpty has a source without any of the user's files, like a new volume: nothing is removed
// because of it.
func TestOnlyVolumeFilesIsEmpty(t *testing.T) {
	b, plant := newMac(t, memfs.Mac{}, false)
	fstest.Fill(t, plant[0], ".fseventsd/ 700\n.Trashes/ 755\n")
	fstest.Fill(t, plant[1], "f 644 text\n")
	b.job.Policy.Sync, b.job.Delete.On, b.job.DestIsNew = true, true, false
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail SRC"}, report.Fail, report.Delete)
}

// TestVolumeFilesThatAreOperandsAreCopied names a volume file.
func TestVolumeFilesThatAreOperandsAreCopied(t *testing.T) {
	b := newVolumes(t, true, true)
	b.job.Sources[0].Names, b.job.DestIsNew = []string{".Trashes"}, false
	b.mustRun(t)
	if got := fstest.Tree(t, b.job.Dest); !strings.Contains(got, ".Trashes/501/old ") {
		t.Errorf("not copied:\n%s", got)
	}
}

func TestCountLeavesVolumeFilesOut(t *testing.T) {
	for _, take := range []bool{false, true} {
		b := newVolumes(t, true, true)
		var e report.Expected
		source.NewSelector(source.Selection{VolumeFiles: take}, plan.Links{}, metadata.Darwin).Count(t.Context(), b.job.Sources, plan.Policy{}, &e)
		want := int64(2)
		if take {
			want = 5
		}
		if got := e.Files.Load(); got != want {
			t.Errorf("with volume files %v: %d files, want %d", take, got, want)
		}
	}
}

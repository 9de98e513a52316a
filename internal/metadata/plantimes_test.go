package metadata

import (
	"io/fs"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

func TestPlanOfTimes(t *testing.T) {
	const s = time.Second
	at := func(mtime, atime, btime time.Duration) State {
		return State{Attr: vfs.Attr{Mode: 0o644, Mtime: now.Add(mtime), Atime: now.Add(atime), Btime: now.Add(btime)}}
	}
	unborn := at(0, 0, 0)
	unborn.Btime = time.Time{}
	linked := at(s, 0, 0)
	linked.Mode |= fs.ModeSymlink
	keep := Keep{Mtime: true, Btime: true}
	tests := []struct {
		name     string
		profile  *Profile
		keep     Keep
		circ     PlanContext
		src, dst State
		want     string
		diff     report.Diff
	}{
		{"equal", Linux, keep, PlanContext{}, at(0, 0, 0), at(0, s, 0), "", 0},
		{"equal, but to be set", Linux, keep, PlanContext{SetTimes: true}, at(0, 0, 0), at(0, 0, 0), "times, rename", 0},
		{"nothing kept, but to be set", Linux, Keep{}, PlanContext{SetTimes: true}, at(0, 0, 0), at(s, 0, 0), "", 0},
		{"modified", Linux, keep, PlanContext{}, at(0, 0, 0), at(s, 0, 0), "times, rename", report.DiffMtime},
		{"accessed", Linux, Keep{Atime: true}, PlanContext{}, at(0, 0, 0), at(s, s, 0), "times, rename", report.DiffAtime},
		{"not kept", Linux, Keep{Atime: true}, PlanContext{}, at(0, 0, 0), at(s, 0, 0), "", 0},
		{"within the window", Linux, keep, PlanContext{Tolerance: Tolerance{Window: s}}, at(0, 0, 0), at(s, 0, 0), "", 0},
		{"rounded", Darwin, Keep{Mtime: true, Atime: true, Btime: true}, PlanContext{Tolerance: Tolerance{Granularity: 2 * s}}, at(0, 0, 0), at(s, s, s), "", 0},
		{"a step apart", Linux, keep, PlanContext{Tolerance: Tolerance{Granularity: s}}, at(0, 0, 0), at(s, 0, 0), "times, rename", report.DiffMtime},
		{"birth on Linux", Linux, keep, PlanContext{}, at(0, 0, -s), at(0, 0, 0), "", 0},
		{"of links, left out", Linux, Keep{Mtime: true, OmitLinkTimes: true}, PlanContext{}, linked, at(0, 0, 0), "", 0},
		{"of files, not left out", Linux, Keep{Mtime: true, OmitLinkTimes: true, OmitDirTimes: true}, PlanContext{}, at(s, 0, 0), at(0, 0, 0), "times, rename", report.DiffMtime},

		{"born earlier", Darwin, keep, PlanContext{}, at(0, 0, -s), at(0, 0, 0), "btime, rename", report.DiffBtime},
		{"born after the modification", Darwin, keep, PlanContext{}, at(0, 0, s), at(0, 0, 0), "btime, rename", report.DiffBtime},
		{"pulled down by the modification", Darwin, keep, PlanContext{}, at(-s, 0, 0), at(s, 0, 0), "times, btime, rename", report.DiffMtime},
		{"pulled down to what it is to be", Darwin, keep, PlanContext{}, at(-s, 0, -s), at(s, 0, 0), "times, btime, rename", report.DiffMtime | report.DiffBtime},
		{"the source has no creation time", Darwin, keep, PlanContext{}, unborn, at(0, 0, 0), "", 0},
		{"the destination has no creation time", Darwin, keep, PlanContext{}, at(0, 0, 0), unborn, "(btime)", 0},

		{"lowered", FreeBSD, keep, PlanContext{}, at(0, 0, -s), at(0, 0, 0), "btime, rename", report.DiffBtime},
		{"lowered with the modification", FreeBSD, keep, PlanContext{}, at(0, 0, -s), at(s, 0, 0), "btime, times, rename", report.DiffMtime | report.DiffBtime},
		{"pulled down below", FreeBSD, keep, PlanContext{}, at(-s, 0, 0), at(0, 0, 0), "(btime), times, rename", report.DiffMtime},
		{"cannot rise", FreeBSD, keep, PlanContext{}, at(s, 0, s), at(s, 0, 0), "(btime)", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ops := tt.profile.Plan(nil, tt.keep, tt.circ, &tt.src, &tt.dst)
			if got := describe(ops); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := Diff(ops); got != tt.diff {
				t.Errorf("differences %b, want %b", got, tt.diff)
			}
		})
	}
}

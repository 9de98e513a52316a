package plan

import (
	"io/fs"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

var now = time.Date(2001, time.February, 3, 4, 5, 6, 7, time.UTC)

func TestNeedsSource(t *testing.T) {
	const keeps = true
	update, smallest, largest := Policy{Update: true}, Policy{MinSize: 1}, Policy{LimitSize: true}
	tests := []struct {
		name     string
		policy   Policy
		src, dst fs.FileMode
		keeps    bool
		want     bool
	}{
		{"copy, new file", Policy{}, file, Absent, keeps, false},
		{"copy, existing file", Policy{}, file, file, keeps, false},
		{"copy --append, existing file", Policy{Append: true}, file, file, keeps, true},
		{"sync, new file", Policy{Sync: true}, file, Absent, keeps, false},
		{"sync, existing file", Policy{Sync: true}, file, file | 0o644, false, true},
		{"resumed copy, existing file", Policy{Resumes: true}, file, file | 0o644, false, true},
		{"sync, file over directory", Policy{Sync: true}, file, dir, false, true},
		{"-u, new file", update, file, Absent, keeps, false},
		{"-u, existing file", update, file, file, false, true},
		{"--min-size, new file", smallest, file, Absent, false, true},
		{"--max-size=0, new file", largest, file, Absent, false, true},
		{"a maximum that is not set", Policy{MaxSize: 1}, file, Absent, false, false},
		{"compare, new file", Policy{Sync: true, Compare: true}, file, Absent, false, true},
		{"new link", Policy{}, link, Absent, false, false},
		{"new link, sizes do not matter", smallest, link, Absent, false, false},
		{"new link, attributes are kept", Policy{}, link, Absent, keeps, true},
		{"existing link", Policy{}, link, link | 0o777, false, true},
		{"link over file", Policy{}, link, file, false, true},
		{"new fifo", Policy{}, fifo, Absent, false, true},
		{"new device", Policy{}, disk, Absent, false, true},
	}
	for _, tt := range tests {
		if got := tt.policy.NeedsSource(tt.src, tt.dst, tt.keeps); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestSpecial(t *testing.T) {
	for _, tt := range []struct {
		name     string
		src, dst vfs.Attr
		want     Verdict
	}{
		{"new link", vfs.Attr{Mode: link}, vfs.Attr{Mode: Absent}, Transfer},
		{"link over file", vfs.Attr{Mode: link}, vfs.Attr{Mode: file}, Transfer},
		{"link over link", vfs.Attr{Mode: link | 0o777}, vfs.Attr{Mode: link | 0o755, Size: 3}, CompareContents},
		{"fifo over fifo", vfs.Attr{Mode: fifo | 0o644}, vfs.Attr{Mode: fifo | 0o600, Mtime: now}, Current},
		{"fifo over socket", vfs.Attr{Mode: fifo}, vfs.Attr{Mode: sock}, Transfer},
		{"the number of a fifo", vfs.Attr{Mode: fifo, Rdev: 1}, vfs.Attr{Mode: fifo, Rdev: 2}, Current},
		{"new fifo", vfs.Attr{Mode: fifo}, vfs.Attr{Mode: Absent}, Transfer},
		{"the same device", vfs.Attr{Mode: char, Rdev: 1}, vfs.Attr{Mode: char, Rdev: 1}, Current},
		{"another device", vfs.Attr{Mode: char, Rdev: 1}, vfs.Attr{Mode: char, Rdev: 2}, Transfer},
		{"another kind of device", vfs.Attr{Mode: char, Rdev: 1}, vfs.Attr{Mode: disk, Rdev: 1}, Transfer},
	} {
		if got := Special(tt.src, tt.dst); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestFile compares a file of five bytes and the time now with what the destination has.
func TestFile(t *testing.T) {
	type policy = Policy
	at := func(size int64, mtime time.Time) vfs.Attr { return vfs.Attr{Size: size, Mtime: mtime, Mode: 0o644} }
	older, newer := now.Add(-time.Hour), now.Add(time.Hour)
	src := at(5, now)
	nothing, other := vfs.Attr{Mode: Absent}, vfs.Attr{Mode: link | 0o777, Size: 5, Mtime: newer}
	second := metadata.Tolerance{Window: time.Second}
	tests := []struct {
		name      string
		policy    Policy
		dst       vfs.Attr
		tolerance metadata.Tolerance
		want      Verdict
	}{
		{"copy, nothing there", policy{}, nothing, exact, Transfer},
		{"copy, equal", policy{}, src, exact, Transfer},
		{"copy, whatever else the policy says", policy{SizeOnly: true, Checksum: true}, src, exact, Transfer},

		{"sync, nothing there", policy{Sync: true}, nothing, exact, Transfer},
		{"sync, something else there", policy{Sync: true}, other, exact, Transfer},
		{"sync, equal", policy{Sync: true}, src, exact, Current},
		{"sync, bigger", policy{Sync: true}, at(6, now), exact, Transfer},
		{"resumed copy, equal", policy{Resumes: true}, src, exact, Current},
		{"resumed copy, older", policy{Resumes: true}, at(5, older), exact, Transfer},
		{"sync, older", policy{Sync: true}, at(5, older), exact, Transfer},
		{"sync, newer", policy{Sync: true}, at(5, newer), exact, Transfer},
		{"sync, a nanosecond", policy{Sync: true}, at(5, now.Add(1)), exact, Transfer},
		{"sync, within the window", policy{Sync: true}, at(5, now.Add(-time.Second)), second, Current},
		{"sync, a whole step apart", policy{Sync: true}, at(5, now.Add(-time.Second)), metadata.Tolerance{Granularity: time.Second}, Transfer},
		{"--ignore-times, equal", policy{Sync: true, IgnoreTimes: true}, src, exact, Transfer},
		{"--size-only, time differs", policy{Sync: true, SizeOnly: true}, at(5, older), exact, Current},
		{"--size-only, size differs", policy{Sync: true, SizeOnly: true}, at(6, now), exact, Transfer},
		{"--size-only, nothing there", policy{Sync: true, SizeOnly: true}, nothing, exact, Transfer},
		{"--checksum, equal", policy{Sync: true, Checksum: true}, src, exact, CompareContents},
		{"--checksum, time differs", policy{Sync: true, Checksum: true}, at(5, older), exact, CompareContents},
		{"--checksum, size differs", policy{Sync: true, Checksum: true}, at(6, now), exact, Transfer},

		{"-u, nothing there", policy{Update: true}, nothing, exact, Transfer},
		{"-u, something else there, newer", policy{Update: true}, other, exact, Transfer},
		{"--append, shorter", policy{Append: true}, at(4, now), exact, Transfer},
		{"--append, as long", policy{Append: true}, at(5, now), exact, LeaveLonger},
		{"sync --append, as long and current", policy{Sync: true, Append: true}, at(5, now), exact, Current},
		{"sync --append, as long", policy{Sync: true, Append: true}, at(5, newer), exact, LeaveLonger},
		{"sync --append -c, as long", policy{Sync: true, Append: true, Checksum: true}, at(5, newer), exact, CompareContents},
		{"sync --append, longer", policy{Sync: true, Append: true}, at(6, now), exact, LeaveLonger},
		{"sync --append -u, shorter and newer", policy{Sync: true, Append: true, Update: true}, at(4, newer), exact, ComparePrefix},
		{"-u, newer", policy{Update: true}, at(5, newer), exact, LeaveNewer},
		{"-u, newer and bigger", policy{Update: true}, at(6, newer), exact, LeaveNewer},
		{"-u, newer and smaller", policy{Update: true}, at(4, newer), exact, ComparePrefix},
		{"-u, newer and empty", policy{Update: true}, at(0, newer), exact, ComparePrefix},
		{"-u, newer by a nanosecond", policy{Update: true}, at(5, now.Add(1)), exact, LeaveNewer},
		{"-u, same time", policy{Update: true}, src, exact, Transfer},
		{"-u, older", policy{Update: true}, at(5, older), exact, Transfer},
		{"-u, newer within the window", policy{Update: true}, at(5, now.Add(time.Second)), second, Transfer},
		{"-u, newer by more than the window", policy{Update: true}, at(5, now.Add(time.Second+1)), second, LeaveNewer},
		{"-u, newer by rounding", policy{Update: true}, at(5, now.Add(time.Second-1)), metadata.Tolerance{Granularity: time.Second}, Transfer},
		{"-u, newer by a step", policy{Update: true}, at(5, now.Add(time.Second)), metadata.Tolerance{Granularity: time.Second}, LeaveNewer},
		{"sync -u, newer", policy{Sync: true, Update: true}, at(5, newer), exact, LeaveNewer},
		{"sync -u, older", policy{Sync: true, Update: true}, at(5, older), exact, Transfer},
		{"sync -u, equal", policy{Sync: true, Update: true}, src, exact, Current},
		{"sync -u --size-only, newer", policy{Sync: true, Update: true, SizeOnly: true}, at(5, newer), exact, LeaveNewer},

		{"--min-size, nothing there", policy{MinSize: 6}, nothing, exact, OmitSmall},
		{"--min-size, equal", policy{Sync: true, MinSize: 6}, src, exact, OmitSmall},
		{"--max-size, something else there", policy{MaxSize: 4, LimitSize: true}, other, exact, OmitLarge},
		{"--max-size -u, newer and smaller", policy{Update: true, LimitSize: true}, at(0, newer), exact, OmitLarge},
		{"--max-size, large enough", policy{MaxSize: 5, LimitSize: true}, nothing, exact, Transfer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.File(src, tt.dst, tt.tolerance); got != tt.want {
				t.Errorf("File = %d, want %d", got, tt.want)
			}
		})
	}
}

var exact metadata.Tolerance

func TestFileWhoseTimeHadNoRoom(t *testing.T) {
	src, dst := vfs.Attr{Size: 1, Mtime: time.Unix(-1e8, 0)}, vfs.Attr{Size: 1, Mtime: time.Unix(0, 0)}
	for _, tt := range []struct {
		policy Policy
		want   Verdict
	}{
		{Policy{Sync: true}, CompareContents},
		{Policy{Sync: true, IgnoreTimes: true}, Transfer},
		{Policy{Sync: true, SizeOnly: true}, Current},
		{Policy{}, Transfer},
	} {
		if got := tt.policy.File(src, dst, exact); got != tt.want {
			t.Errorf("%+v: File = %d, want %d", tt.policy, got, tt.want)
		}
	}
}

// TestAlternative compares files of other trees, for which only what says when files are equal counts.
func TestAlternative(t *testing.T) {
	same := vfs.Attr{Size: 5, Mtime: now}
	older := vfs.Attr{Size: 5, Mtime: now.Add(-time.Hour)}
	newer := vfs.Attr{Size: 4, Mtime: now.Add(time.Hour)}
	for _, tt := range []struct {
		name   string
		policy Policy
		alt    vfs.Attr
		want   Verdict
	}{
		{"copy, equal", Policy{}, same, Current},
		{"copy, older", Policy{}, older, Transfer},
		{"copy -u, newer and smaller", Policy{Update: true}, newer, Transfer},
		{"copy --min-size, equal", Policy{MinSize: 6}, same, Current},
		{"--ignore-times, equal", Policy{Sync: true, IgnoreTimes: true}, same, Transfer},
		{"--size-only, older", Policy{Sync: true, SizeOnly: true}, older, Current},
		{"--checksum, equal", Policy{Sync: true, Checksum: true}, same, CompareContents},
	} {
		if got := tt.policy.Alternative(same, tt.alt, exact); got != tt.want {
			t.Errorf("%s: Alternative = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestOmitsFile(t *testing.T) {
	mtime := time.Unix(1000, 500)
	tests := []struct {
		name   string
		policy Policy
		size   int64
		want   bool
	}{
		{"no limits", Policy{}, 1 << 60, false},
		{"no limits, empty", Policy{}, 0, false},
		{"at the minimum", Policy{MinSize: 10}, 10, false},
		{"below the minimum", Policy{MinSize: 10}, 9, true},
		{"at the maximum", Policy{MaxSize: 10, LimitSize: true}, 10, false},
		{"above the maximum", Policy{MaxSize: 10, LimitSize: true}, 11, true},
		{"a maximum of nothing, empty", Policy{LimitSize: true}, 0, false},
		{"a maximum of nothing", Policy{LimitSize: true}, 1, true},
		{"a maximum that is not set", Policy{MaxSize: 10}, 11, false},
		{"between both", Policy{MinSize: 5, MaxSize: 10, LimitSize: true}, 7, false},
		{"modified at the earliest time", Policy{MinMtime: mtime}, 1, false},
		{"modified before the earliest time", Policy{MinMtime: mtime.Add(1)}, 1, true},
		{"modified at the latest time", Policy{MaxMtime: mtime}, 1, false},
		{"modified after the latest time", Policy{MaxMtime: mtime.Add(-1)}, 1, true},
		{"modified in between", Policy{MinMtime: mtime.Add(-1), MaxMtime: mtime.Add(1)}, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.OmitsFile(vfs.Attr{Size: tt.size, Mtime: mtime}); got != tt.want {
				t.Errorf("OmitsFile of %d bytes = %v, want %v", tt.size, got, tt.want)
			}
			if limits := tt.policy.LimitsFiles(); tt.want && !limits {
				t.Error("the policy limits nothing")
			}
		})
	}
}

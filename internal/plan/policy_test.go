package plan

import (
	"fmt"
	"io/fs"
	"maps"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

func TestForSync(t *testing.T) {
	types := []fs.FileMode{file, dir, link, fifo, sock, char, disk}
	for _, src := range types {
		for _, dst := range append(types, Absent) {
			want := For(src, dst, false)
			if want == Refuse {
				want = Supplant
			}
			if got := For(src, dst, true); got != want {
				t.Errorf("For(%v, %v, true) = %d, want %d", src, dst, got, want)
			}
		}
	}
	tests := []struct {
		name     string
		src, dst fs.FileMode
		want     Step
	}{
		{"directory over file", dir, file, Supplant},
		{"directory over link", dir, link, Supplant},
		{"directory over fifo", dir, fifo, Supplant},
		{"directory over device", dir, disk, Supplant},
		{"directory over directory", dir, dir, Merge},
		{"directory, nothing there", dir, Absent, Create},
		{"file over directory", file, dir, ReplaceDir},
		{"fifo over file", fifo, file, Skip},
		{"permissions do not matter", dir | 0o755, file | 0o600, Supplant},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(tt.src, tt.dst, true); got != tt.want {
				t.Errorf("For(%v, %v, true) = %d, want %d", tt.src, tt.dst, got, tt.want)
			}
		})
	}
}

var now = time.Date(2001, time.February, 3, 4, 5, 6, 7, time.UTC)

func TestJudge(t *testing.T) {
	type policy = Policy
	at := func(size int64, mtime time.Time) vfs.Attr { return vfs.Attr{Size: size, Mtime: mtime} }
	same, bigger, older, newer := at(5, now), at(6, now), at(5, now.Add(-time.Hour)), at(5, now.Add(time.Hour))
	tests := []struct {
		name   string
		policy Policy
		dst    vfs.Attr
		want   Verdict
	}{
		{"no sync, equal", policy{}, same, Transfer},
		{"no sync, whatever the policy", policy{SizeOnly: true, Checksum: true}, same, Transfer},
		{"equal", policy{Sync: true}, same, Current},
		{"size", policy{Sync: true}, bigger, Transfer},
		{"older", policy{Sync: true}, older, Transfer},
		{"newer", policy{Sync: true}, newer, Transfer},
		{"a nanosecond", policy{Sync: true}, at(5, now.Add(1)), Transfer},
		{"ignore times, equal", policy{Sync: true, IgnoreTimes: true}, same, Transfer},
		{"size only, time differs", policy{Sync: true, SizeOnly: true}, older, Current},
		{"size only, size differs", policy{Sync: true, SizeOnly: true}, bigger, Transfer},
		{"checksum, equal", policy{Sync: true, Checksum: true}, same, LookInside},
		{"checksum, time differs", policy{Sync: true, Checksum: true}, older, LookInside},
		{"checksum, size differs", policy{Sync: true, Checksum: true}, bigger, Transfer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.Judge(same, tt.dst, Tolerance{}); got != tt.want {
				t.Errorf("Judge = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestJudgeTolerates(t *testing.T) {
	src, dst := vfs.Attr{Mtime: now}, vfs.Attr{Mtime: now.Add(-time.Second)}
	p := Policy{Sync: true}
	if got := p.Judge(src, dst, Tolerance{Window: time.Second}); got != Current {
		t.Errorf("within the window: %d, want current", got)
	}
	if got := p.Judge(src, dst, Tolerance{Granularity: time.Second}); got != Transfer {
		t.Errorf("a whole step apart: %d, want transfer", got)
	}
}

func TestOmits(t *testing.T) {
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.Omits(tt.size); got != tt.want {
				t.Errorf("Omits(%d) = %v, want %v", tt.size, got, tt.want)
			}
		})
	}
}

func TestNewer(t *testing.T) {
	tests := []struct {
		name      string
		policy    Policy
		dst       time.Duration // after the source
		tolerance Tolerance
		want      bool
	}{
		{"newer", Policy{Update: true}, time.Second, Tolerance{}, true},
		{"newer by a nanosecond", Policy{Update: true}, 1, Tolerance{}, true},
		{"equal", Policy{Update: true}, 0, Tolerance{}, false},
		{"older", Policy{Update: true}, -time.Second, Tolerance{}, false},
		{"newer, not asked for", Policy{}, time.Second, Tolerance{}, false},
		{"newer within the window", Policy{Update: true}, time.Second, Tolerance{Window: time.Second}, false},
		{"newer by more than the window", Policy{Update: true}, time.Second + 1, Tolerance{Window: time.Second}, true},
		{"newer by rounding", Policy{Update: true}, time.Second - 1, Tolerance{Granularity: time.Second}, false},
		{"newer by a step", Policy{Update: true}, time.Second, Tolerance{Granularity: time.Second}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, dst := vfs.Attr{Mtime: now}, vfs.Attr{Mtime: now.Add(tt.dst)}
			if got := tt.policy.Newer(src, dst, tt.tolerance); got != tt.want {
				t.Errorf("Newer = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTolerance(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name      string
		tolerance Tolerance
		apart     time.Duration
		want      bool
	}{
		{"nothing tolerated, equal", Tolerance{}, 0, true},
		{"nothing tolerated, a nanosecond", Tolerance{}, 1, false},
		{"window, below", Tolerance{Window: s}, s - 1, true},
		{"window, exactly", Tolerance{Window: s}, s, true},
		{"window, above", Tolerance{Window: s}, s + 1, false},
		{"granularity, below", Tolerance{Granularity: s}, s - 1, true},
		{"granularity, exactly: a step is no rounding", Tolerance{Granularity: s}, s, false},
		{"granularity of two seconds, as on FAT", Tolerance{Granularity: 2 * s}, s + s/2, true},
		{"both, between them", Tolerance{Window: s, Granularity: 2 * s}, 2*s - 1, true},
		{"both, at the larger one, the granularity", Tolerance{Window: s, Granularity: 2 * s}, 2 * s, false},
		{"both, at the larger one, the window", Tolerance{Window: 2 * s, Granularity: s}, 2 * s, true},
		{"as far apart as times can be", Tolerance{Window: s}, 1<<63 - 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, apart := range []time.Duration{tt.apart, -tt.apart} {
				if got := tt.tolerance.Same(now, now.Add(apart)); got != tt.want {
					t.Errorf("Same of times %v apart = %v, want %v", apart, got, tt.want)
				}
			}
		})
	}
	if (Tolerance{Window: s}).Same(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("the first and the last time are the same")
	}
}

func TestChangesTolerate(t *testing.T) {
	src, dst := vfs.Attr{Mtime: now, Atime: now}, vfs.Attr{Mtime: now.Add(time.Second), Atime: now}
	for _, tt := range []struct {
		name      string
		keep      Keep
		tolerance Tolerance
		want      bool
	}{
		{"exact", Keep{Mtime: true}, Tolerance{}, true},
		{"within the window", Keep{Mtime: true}, Tolerance{Window: time.Second}, false},
		{"a step apart", Keep{Mtime: true}, Tolerance{Granularity: time.Second}, true},
		{"rounded", Keep{Mtime: true}, Tolerance{Granularity: time.Second + 1}, false},
		{"not kept", Keep{Atime: true}, Tolerance{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Changes(src, dst, tt.keep, tt.tolerance); got.Chtimes != tt.want || got.None() == tt.want {
				t.Errorf("got %+v, want times %v", got, tt.want)
			}
			if got := Diff(src, dst, tt.keep, tt.tolerance); (got == report.DiffMtime) != tt.want {
				t.Errorf("differences %b, want times %v", got, tt.want)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	src := vfs.Attr{Mode: 0o640, Size: 5, UID: 1, GID: 2, Mtime: now, Atime: now}
	all := Keep{Modes: true, Owner: true, Group: true, Mtime: true, Atime: true}
	with := func(f func(*vfs.Attr)) vfs.Attr {
		a := src
		f(&a)
		return a
	}
	tests := []struct {
		name string
		dst  vfs.Attr
		want report.Diff // if everything is kept
		bare report.Diff // if nothing is
	}{
		{"equal", src, 0, 0},
		{"size", with(func(a *vfs.Attr) { a.Size++ }), report.DiffSize, report.DiffSize},
		{"mtime", with(func(a *vfs.Attr) { a.Mtime = now.Add(1) }), report.DiffMtime, 0},
		{"atime", with(func(a *vfs.Attr) { a.Atime = now.Add(1) }), report.DiffAtime, 0},
		{"mode", with(func(a *vfs.Attr) { a.Mode = 0o600 }), report.DiffPerms, report.DiffPerms},
		{"set-user-ID", with(func(a *vfs.Attr) { a.Mode |= fs.ModeSetuid }), 0, 0},
		{"owner", with(func(a *vfs.Attr) { a.UID = 0 }), report.DiffOwner, 0},
		{"group", with(func(a *vfs.Attr) { a.GID = 0 }), report.DiffGroup, 0},
		{
			"all at once",
			vfs.Attr{Mode: 0o777, Size: 1},
			report.DiffSize | report.DiffMtime | report.DiffAtime | report.DiffPerms | report.DiffOwner | report.DiffGroup,
			report.DiffSize | report.DiffPerms,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Diff(src, tt.dst, all, Tolerance{}); got != tt.want {
				t.Errorf("differences %b, want %b", got, tt.want)
			}
			if got := Diff(src, tt.dst, Keep{}, Tolerance{}); got != tt.bare {
				t.Errorf("differences %b if nothing is kept, want %b", got, tt.bare)
			}
		})
	}
}

func TestDiffOfOtherTypes(t *testing.T) {
	for _, typ := range []fs.FileMode{dir, link} {
		src, dst := vfs.Attr{Mode: typ | 0o755, Size: 1}, vfs.Attr{Mode: typ | 0o755, Size: 2}
		if got := Diff(src, dst, Keep{}, Tolerance{}); got != 0 {
			t.Errorf("%v: the size is a difference: %b", typ, got)
		}
	}
	src, dst := vfs.Attr{Mode: link | 0o777}, vfs.Attr{Mode: link | 0o755}
	if got := Diff(src, dst, Keep{}, Tolerance{}); got != 0 {
		t.Errorf("links differ in modes: %b", got)
	}
}

// TestDiffSaysWhatChangesDoes holds for all pairs of some attributes: there is a
// difference other than the size exactly where something is to be changed.
func TestDiffSaysWhatChangesDoes(t *testing.T) {
	var attrs []vfs.Attr
	for _, mode := range []fs.FileMode{0o644, 0o600} {
		for _, uid := range []uint32{0, 1} {
			for _, gid := range []uint32{0, 1} {
				for _, mtime := range []time.Time{now, now.Add(1)} {
					attrs = append(attrs, vfs.Attr{Mode: mode, UID: uid, GID: gid, Mtime: mtime, Atime: mtime})
				}
			}
		}
	}
	for _, keep := range []Keep{{}, {Owner: true}, {Group: true}, {Mtime: true}, {Atime: true}, {Owner: true, Group: true, Mtime: true, Atime: true}} {
		for _, src := range attrs {
			for _, dst := range attrs {
				diff, change := Diff(src, dst, keep, Tolerance{}), Changes(src, dst, keep, Tolerance{})
				if (diff == 0) != change.None() {
					t.Fatalf("%+v, %+v, %+v: differences %b, changes %+v", src, dst, keep, diff, change)
				}
			}
		}
	}
}

func TestLeadsOut(t *testing.T) {
	tests := []struct {
		target, dir string
		want        bool
	}{
		{"", "", true},
		{"", "a", true},
		{"/abs", "", true},
		{"/", "a/b", true},
		{"x", "", false},
		{"x", "a/b", false},
		{"x/y/z", "", false},
		{".", "", false},
		{".", "a", false},
		{"./x", "", false},
		{"..", "", true},
		{"..", "a", false},
		{"..", "a/b", false},
		{"../x", "", true},
		{"../x", "a", false},
		{"../../x", "a", true},
		{"../../x", "a/b", false},
		{"../../../x", "a/b", true},
		{"../..", "a/b", false},
		{"../../..", "a/b", true},
		{"..//x", "a", false},
		{"..//..//x", "a", true},
		{"a//b", "", false},
		{"a/", "", false},
		{"../", "", true},
		{"a/../b", "", true}, // a may be a link
		{"a/../b", "a/b/c", true},
		{"a/..", "x", true},
		{"../a/..", "x/y", true},
		{"./../x", "", true},
		{"./../x", "a", true}, // as in rsync, though it does not lead out
		{"...", "", false},
		{"..x", "", false},
		{"..x/y", "", false},
		{"../x", "a//b", false},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q in %q", tt.target, tt.dir), func(t *testing.T) {
			if got := LeadsOut(tt.target, tt.dir); got != tt.want {
				t.Errorf("LeadsOut(%q, %q) = %v, want %v", tt.target, tt.dir, got, tt.want)
			}
		})
	}
}

// syncApply does to dst what a sync that deletes plans for src, and counts what it did.
func syncApply(src, dst model, policy Policy) (changes int) {
	attr := func(e entry) vfs.Attr {
		return vfs.Attr{Mode: e.typ, Size: int64(e.id % 3), Mtime: now.Add(time.Duration(e.id))}
	}
	for name, s := range src {
		there := Absent
		d, ok := dst[name]
		if ok {
			there = d.typ
		}
		step := For(s.typ, there, true)
		if step == Skip || step == Merge {
			continue
		}
		if step == Replace && s.typ == file && d.typ == file {
			verdict := policy.Judge(attr(s), attr(d), Tolerance{})
			if verdict == Current || verdict == LookInside && s.id == d.id {
				continue
			}
		}
		if step == Replace && s.typ == link && d.typ == link && s.id == d.id {
			continue
		}
		dst[name] = s
		changes++
	}
	for name := range dst {
		if _, ok := src[name]; !ok {
			delete(dst, name)
			changes++
		}
	}
	return changes
}

// FuzzSyncConverges applies the plan of a sync to random directories: afterwards the
// destination has what the source has and nothing else, but for what is never
// copied; and a second sync does nothing.
func FuzzSyncConverges(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, seed*7+3, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, a, b uint64, flags uint8) {
		policy := Policy{Sync: true, SizeOnly: flags&1 != 0, Checksum: flags&2 != 0}
		src, dst := randomModel(a, 0), randomModel(b, 50)
		before := maps.Clone(dst)
		syncApply(src, dst, policy)
		for name, s := range src {
			d, ok := dst[name]
			switch {
			case !copied(s.typ):
				if old, had := before[name]; had != ok || had && old != d {
					t.Errorf("%s: %v was not to be copied, but the destination changed", name, s.typ)
				}
			case !ok:
				t.Errorf("%s: missing", name)
			case s.typ != d.typ:
				t.Errorf("%s: is of type %v, want %v", name, d.typ, s.typ)
			case s.typ == link && s.id != d.id, s.typ == file && s.id != d.id && !policy.SizeOnly:
				t.Errorf("%s: has the contents of before", name)
			case s.typ == file && s.id%3 != d.id%3:
				t.Errorf("%s: has another size", name)
			}
		}
		for name := range dst {
			if _, ok := src[name]; !ok {
				t.Errorf("%s: stays, though the source has no such name", name)
			}
		}
		after := maps.Clone(dst)
		if n := syncApply(src, dst, policy); n != 0 || !maps.Equal(dst, after) {
			t.Errorf("a second sync makes %d changes", n)
		}
	})
}

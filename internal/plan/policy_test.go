package plan

import (
	"maps"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

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
			if got := tt.policy.Judge(same, tt.dst, metadata.Tolerance{}); got != tt.want {
				t.Errorf("Judge = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestJudgeLooksInsideWhereATimeHadNoRoom(t *testing.T) {
	src, dst := vfs.Attr{Size: 1, Mtime: time.Unix(-1e8, 0)}, vfs.Attr{Size: 1, Mtime: time.Unix(0, 0)}
	for _, tt := range []struct {
		policy Policy
		want   Verdict
	}{
		{Policy{Sync: true}, LookInside},
		{Policy{Sync: true, IgnoreTimes: true}, Transfer},
		{Policy{Sync: true, SizeOnly: true}, Current},
		{Policy{}, Transfer},
	} {
		if got := tt.policy.Judge(src, dst, metadata.Tolerance{}); got != tt.want {
			t.Errorf("%+v: Judge = %d, want %d", tt.policy, got, tt.want)
		}
	}
}

func TestJudgeTolerates(t *testing.T) {
	src, dst := vfs.Attr{Mtime: now}, vfs.Attr{Mtime: now.Add(-time.Second)}
	p := Policy{Sync: true}
	if got := p.Judge(src, dst, metadata.Tolerance{Window: time.Second}); got != Current {
		t.Errorf("within the window: %d, want current", got)
	}
	if got := p.Judge(src, dst, metadata.Tolerance{Granularity: time.Second}); got != Transfer {
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
		tolerance metadata.Tolerance
		want      bool
	}{
		{"newer", Policy{Update: true}, time.Second, metadata.Tolerance{}, true},
		{"newer by a nanosecond", Policy{Update: true}, 1, metadata.Tolerance{}, true},
		{"equal", Policy{Update: true}, 0, metadata.Tolerance{}, false},
		{"older", Policy{Update: true}, -time.Second, metadata.Tolerance{}, false},
		{"newer, not asked for", Policy{}, time.Second, metadata.Tolerance{}, false},
		{"newer within the window", Policy{Update: true}, time.Second, metadata.Tolerance{Window: time.Second}, false},
		{"newer by more than the window", Policy{Update: true}, time.Second + 1, metadata.Tolerance{Window: time.Second}, true},
		{"newer by rounding", Policy{Update: true}, time.Second - 1, metadata.Tolerance{Granularity: time.Second}, false},
		{"newer by a step", Policy{Update: true}, time.Second, metadata.Tolerance{Granularity: time.Second}, true},
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
		action := policy.Entry(s.typ, there)
		if action == Skip || action == Descend {
			continue
		}
		if action == Replace && s.typ == file && d.typ == file {
			verdict := policy.Judge(attr(s), attr(d), metadata.Tolerance{})
			if verdict == Current || verdict == LookInside && s.id == d.id {
				continue
			}
		}
		if action == Replace && s.typ != file && s == d { // the same target, or device
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
		policy := Policy{Sync: true, SizeOnly: flags&1 != 0, Checksum: flags&2 != 0, Devices: flags&4 != 0, Specials: flags&8 != 0}
		src, dst := randomModel(a, 0), randomModel(b, 50)
		before := maps.Clone(dst)
		syncApply(src, dst, policy)
		for name, s := range src {
			d, ok := dst[name]
			switch {
			case !policy.Copies(s.typ):
				if old, had := before[name]; had != ok || had && old != d {
					t.Errorf("%s: %v was not to be copied, but the destination changed", name, s.typ)
				}
			case !ok:
				t.Errorf("%s: missing", name)
			case s.typ != d.typ:
				t.Errorf("%s: is of type %v, want %v", name, d.typ, s.typ)
			case !s.typ.IsDir() && s.typ != file && s.id != d.id, s.typ == file && s.id != d.id && !policy.SizeOnly:
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

package plan

import (
	"maps"
	"testing"
	"time"

	"psync/internal/vfs"
)

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
			verdict := policy.File(attr(s), attr(d), exact)
			if verdict == Current || verdict == CompareContents && s.id == d.id {
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

package selftest

import (
	"slices"
	"time"

	"psync/internal/vfs"
)

func volumeChecks() []check {
	return []check{
		{"a volume can be asked what it is", 0, anyone, volumeAnswers},
		{"an entry is the same by name and when it is open", 0, anyone, sameByNameAndOpen},
		{"times are kept as finely as the volume says", 0, anyone, granularity},
	}
}

func volumeAnswers(x *box) {
	s, ok := x.dir.(vfs.Statfser)
	if !ok {
		x.skipf("directories here do not tell")
	}
	v, err := s.Statfs()
	x.must(err)
	x.notef("network %v, granularity %v, folds names %v, ignores owners %v, has companions %v",
		v.Network, v.Granularity, v.Folds, v.OwnersIgnored, v.AppleDouble)
}

func sameByNameAndOpen(x *box) {
	x.file("f", 0o600, "")
	f, err := x.open("f").Stat()
	x.must(err)
	equal(x, "the identity of an open file", f.ID(), x.attr("f").ID())
	n, err := x.node("f").Stat()
	x.must(err)
	equal(x, "the identity of a node", n.ID(), f.ID())
	d := x.mkdir("d", 0o700)
	equal(x, "the identity of an open directory", d.attr(".").ID(), x.attr("d").ID())
}

// ticks are the granularities that psync finds out by trying.
var ticks = []time.Duration{1, 100, time.Microsecond, time.Millisecond, 10 * time.Millisecond, time.Second, 2 * time.Second}

func granularity(x *box) {
	tick := x.measure()
	x.notef("it is %v", tick)
	told := x.volume.Granularity
	switch {
	case told != 0 && tick > told:
		x.failf("it is %v, not %v or finer", tick, told)
	case !slices.Contains(ticks, tick):
		x.failf("it is more than %v", ticks[len(ticks)-1])
	}
}

// measure returns how finely the volume keeps times, as far as one time tells.
func (x *box) measure() time.Duration {
	want := time.Unix(1_000_000_001, 987_654_321) // odd in every unit
	x.file("tick", 0o600, "")
	x.must(x.dir.Chtimes("tick", want, want))
	apart := want.Sub(x.attr("tick").Mtime).Abs()
	for _, tick := range ticks {
		if apart < tick {
			return tick
		}
	}
	return apart + 1
}

// learn finds out what checks go by.
func learn(x *box) {
	if v, ok := x.dir.(vfs.Statfser); ok {
		x.volume, _ = v.Statfs() // a check asks again
	}
	x.tick = x.measure()
	if x.in() == linux {
		x.file("acl", 0o600, "")
		x.loose = x.node("acl").SetXattr(posixAccess, []byte("no ACL")) == nil
	}
}

package facts

import (
	"errors"
	"time"

	"psync/internal/selftest/check"
	"psync/internal/vfs"
)

func volumeChecks() []check.Check {
	return []check.Check{
		{Name: "a volume can be asked what it is", Run: volumeAnswers},
		{Name: "an entry is the same by name and when it is open", Run: sameByNameAndOpen},
		{Name: "times are kept as finely as the volume says", Run: granularity},
	}
}

func volumeAnswers(t *check.T) {
	v, err := t.Dir.Statfs()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skipf("directories do not report that here")
	}
	t.Must(err)
	t.Logf("network %v, granularity %v, folds names %v, ignores owners %v, has AppleDouble files %v",
		v.Network, v.Granularity, v.Folds, v.OwnersIgnored, v.AppleDouble)
}

func sameByNameAndOpen(t *check.T) {
	t.WriteFile("f", 0o600, "")
	f, err := vfs.Stat(t.Open("f"))
	t.Must(err)
	check.Equal(t, "the identity of an open file", f.ID(), t.Lstat("f").ID())
	n, err := vfs.Stat(t.Node("f"))
	t.Must(err)
	check.Equal(t, "the identity of a node", n.ID(), f.ID())
	d := t.Mkdir("d", 0o700)
	check.Equal(t, "the identity of an open directory", d.Lstat(".").ID(), t.Lstat("d").ID())
}

func granularity(t *check.T) {
	tick := t.MeasureTick()
	t.Logf("it is %v", tick)
	reported := t.Volume.Granularity
	switch {
	case reported != 0 && tick > reported:
		t.Fatalf("it is %v, not %v or finer", tick, reported)
	case tick > 2*time.Second:
		t.Fatalf("it is more than two seconds")
	}
}

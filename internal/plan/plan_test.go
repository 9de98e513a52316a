package plan

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"testing"
)

const (
	file = fs.FileMode(0)
	dir  = fs.ModeDir
	link = fs.ModeSymlink
	fifo = fs.ModeNamedPipe
	sock = fs.ModeSocket
	char = fs.ModeDevice | fs.ModeCharDevice
	disk = fs.ModeDevice
)

func TestFor(t *testing.T) {
	tests := []struct {
		name     string
		src, dst fs.FileMode
		want     Step
	}{
		{"file, nothing there", file, Absent, Create},
		{"directory, nothing there", dir, Absent, Create},
		{"link, nothing there", link, Absent, Create},
		{"file over file", file, file, Replace},
		{"file over link", file, link, Replace},
		{"file over fifo", file, fifo, Replace},
		{"file over device", file, disk, Replace},
		{"file over directory", file, dir, ReplaceDir},
		{"link over file", link, file, Replace},
		{"link over link", link, link, Replace},
		{"link over directory", link, dir, ReplaceDir},
		{"directory over directory", dir, dir, Merge},
		{"directory over file", dir, file, Refuse},
		{"directory over link", dir, link, Refuse},
		{"directory over fifo", dir, fifo, Refuse},
		{"fifo, nothing there", fifo, Absent, Skip},
		{"socket over file", sock, file, Skip},
		{"character device over directory", char, dir, Skip},
		{"block device, nothing there", disk, Absent, Skip},
		{"permissions do not matter", file | 0o755, dir | 0o700, ReplaceDir},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Policy{}).For(tt.src, tt.dst); got != tt.want {
				t.Errorf("For(%v, %v) = %d, want %d", tt.src, tt.dst, got, tt.want)
			}
		})
	}
}

func TestForSpecialFiles(t *testing.T) {
	devices, specials := Policy{Devices: true}, Policy{Specials: true}
	tests := []struct {
		name     string
		policy   Policy
		src, dst fs.FileMode
		want     Step
	}{
		{"character device, nothing there", devices, char, Absent, Create},
		{"block device, nothing there", devices, disk, Absent, Create},
		{"device over device", devices, char, disk, Replace},
		{"device over file", devices, disk, file, Replace},
		{"device over directory", devices, char, dir, ReplaceDir},
		{"fifo is no device", devices, fifo, Absent, Skip},
		{"socket is no device", devices, sock, file, Skip},
		{"fifo, nothing there", specials, fifo, Absent, Create},
		{"socket, nothing there", specials, sock, Absent, Create},
		{"fifo over fifo", specials, fifo, fifo, Replace},
		{"socket over link", specials, sock, link, Replace},
		{"fifo over directory", specials, fifo, dir, ReplaceDir},
		{"device is not special", specials, char, Absent, Skip},
		{"file over device", devices, file, disk, Replace},
		{"directory over fifo", specials, dir, fifo, Refuse},
		{"directory over fifo, in a sync", Policy{Sync: true, Specials: true}, dir, fifo, Supplant},
		{"what no system has", Policy{Devices: true, Specials: true}, fs.ModeIrregular, Absent, Skip},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.For(tt.src, tt.dst); got != tt.want {
				t.Errorf("For(%v, %v) = %d, want %d", tt.src, tt.dst, got, tt.want)
			}
		})
	}
}

func TestDirMode(t *testing.T) {
	tests := []struct {
		name           string
		src, dst, want fs.FileMode
		fresh          bool
	}{
		{"new", 0o750, 0o750, 0o750, true},
		{"new, narrowed by a default ACL", 0o755, 0o700, 0o755, true},
		{"new, left open to its owner", 0o555, 0o755, 0o555, true},
		{"existing, equal", 0o755, 0o755, 0o755, false},
		{"existing, other", 0o700, 0o777, 0o777, false},
		{"existing, narrower", 0o755, 0o700, 0o700, false},
		{"existing, left open by an interrupted run", 0o555, 0o755, 0o555, false},
		{"existing, closed as the source", 0o555, 0o555, 0o555, false},
		{"existing, other than an interrupted run leaves", 0o555, 0o700, 0o700, false},
		{"types and set-id bits do not count", dir | fs.ModeSetgid | 0o755, dir | 0o700, 0o755, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := DirMode(tt.src, tt.dst, tt.fresh); got != tt.want {
				t.Errorf("DirMode(%v, %v, %v) = %v, want %v", tt.src, tt.dst, tt.fresh, got, tt.want)
			}
		})
	}
}

// A model is a directory as the plan sees it: types by name, the contents of
// directories by "name/...". Directories in it are empty or not.
type model map[string]entry

type entry struct {
	typ   fs.FileMode
	id    int  // stands for contents
	empty bool // of a directory that is not in the source
}

// apply does to dst what the policy says for src, and returns what it could not do.
func apply(p Policy, src, dst model) (refused int) {
	for name, s := range src {
		there := Absent
		d, ok := dst[name]
		if ok {
			there = d.typ
		}
		switch step := p.For(s.typ, there); step {
		case Create, Replace:
			dst[name] = s
		case ReplaceDir:
			if !d.empty {
				refused++
				continue
			}
			dst[name] = s
		case Merge, Skip:
		case Refuse:
			refused++
		default:
			panic(fmt.Sprint("unknown step ", step))
		}
	}
	return refused
}

// FuzzPlanConverges applies the plan to random directories: afterwards the
// destination has what the source has, but for what was refused or is never
// copied; nothing else has changed; and a second run changes nothing.
func FuzzPlanConverges(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint8(0))
	f.Add(uint64(3), uint64(4), uint8(3))
	f.Fuzz(func(t *testing.T, a, b uint64, flags uint8) {
		p := Policy{Devices: flags&1 != 0, Specials: flags&2 != 0}
		src, dst := randomModel(a, 0), randomModel(b, 100)
		before := maps.Clone(dst)
		refused := apply(p, src, dst)

		differ := 0
		for name, s := range src {
			d, ok := dst[name]
			switch {
			case !p.copies(s.typ):
				if old, had := before[name]; had != ok || had && old != d {
					t.Errorf("%s: %v was not to be copied, but the destination changed", name, s.typ)
				}
			case !ok:
				t.Errorf("%s: missing", name)
			case s.typ != d.typ:
				differ++
				if d != before[name] {
					t.Errorf("%s: refused, but changed", name)
				}
			case !s.typ.IsDir() && s.id != d.id:
				t.Errorf("%s: has the contents of before", name)
			}
		}
		if differ != refused {
			t.Errorf("%d entries differ, %d were refused", differ, refused)
		}
		for name, old := range before {
			if _, ok := src[name]; !ok && dst[name] != old {
				t.Errorf("%s: changed, though the source has no such name", name)
			}
		}
		again := maps.Clone(dst)
		if r := apply(p, src, again); r != refused || !maps.Equal(dst, again) {
			t.Error("a second run does not do the same")
		}
	})
}

func randomModel(seed uint64, base int) model {
	r := rand.New(rand.NewPCG(seed, 7))
	types := []fs.FileMode{file, dir, link, fifo, sock, char, disk}
	m := make(model)
	for i := range r.IntN(20) {
		m[fmt.Sprint(r.IntN(12))] = entry{types[r.IntN(len(types))], base + i, r.IntN(2) == 0}
	}
	return m
}

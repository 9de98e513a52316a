package plan

import (
	"io/fs"
	"slices"
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

// TestEntry names a row for each rule; see also TestEntryByPolicy.
func TestEntry(t *testing.T) {
	devices, specials, sync := Policy{Devices: true}, Policy{Specials: true}, Policy{Sync: true}
	existing, ignore := Policy{Existing: true}, Policy{IgnoreExisting: true}
	tests := []struct {
		name     string
		policy   Policy
		src, dst fs.FileMode
		want     Action
	}{
		{"file, nothing there", Policy{}, file, Absent, Create},
		{"directory, nothing there", Policy{}, dir, Absent, Create},
		{"link, nothing there", Policy{}, link, Absent, Create},
		{"file over file", Policy{}, file, file, Replace},
		{"file over link", Policy{}, file, link, Replace},
		{"file over fifo", Policy{}, file, fifo, Replace},
		{"file over device", Policy{}, file, disk, Replace},
		{"file over directory", Policy{}, file, dir, ReplaceDir},
		{"link over file", Policy{}, link, file, Replace},
		{"link over link", Policy{}, link, link, Replace},
		{"link over directory", Policy{}, link, dir, ReplaceDir},
		{"directory over directory", Policy{}, dir, dir, Descend},
		{"directory over file", Policy{}, dir, file, NotDir},
		{"directory over link", Policy{}, dir, link, NotDir},
		{"directory over fifo", Policy{}, dir, fifo, NotDir},
		{"permissions do not matter", Policy{}, file | 0o755, dir | 0o700, ReplaceDir},

		{"fifo", Policy{}, fifo, Absent, Skip},
		{"socket over file", Policy{}, sock, file, Skip},
		{"character device over directory", Policy{}, char, dir, Skip},
		{"block device", Policy{}, disk, Absent, Skip},
		{"character device, copied", devices, char, Absent, Create},
		{"block device, copied", devices, disk, Absent, Create},
		{"device over device", devices, char, disk, Replace},
		{"device over file", devices, disk, file, Replace},
		{"device over directory", devices, char, dir, ReplaceDir},
		{"a fifo is no device", devices, fifo, Absent, Skip},
		{"a socket is no device", devices, sock, file, Skip},
		{"file over device, copied", devices, file, disk, Replace},
		{"fifo, copied", specials, fifo, Absent, Create},
		{"socket, copied", specials, sock, Absent, Create},
		{"fifo over fifo", specials, fifo, fifo, Replace},
		{"socket over link", specials, sock, link, Replace},
		{"fifo over directory", specials, fifo, dir, ReplaceDir},
		{"a device is not special", specials, char, Absent, Skip},
		{"link, left out", Policy{NoLinks: true}, link, Absent, Skip},
		{"link, left out, over file", Policy{NoLinks: true}, link, file, Skip},
		{"file over link, which is left out", Policy{NoLinks: true}, file, link, Replace},
		{"directory over fifo, copied", specials, dir, fifo, NotDir},
		{"what no system has", Policy{Devices: true, Specials: true}, fs.ModeIrregular, Absent, Skip},

		{"sync, directory over file", sync, dir, file, ReplaceWithDir},
		{"sync, directory over link", sync, dir, link, ReplaceWithDir},
		{"sync, directory over device", sync, dir, disk, ReplaceWithDir},
		{"sync, directory over directory", sync, dir, dir, Descend},
		{"sync, file over directory", sync, file, dir, ReplaceDir},
		{"sync, permissions do not matter", sync, dir | 0o755, file | 0o600, ReplaceWithDir},

		{"existing, file, nothing there", existing, file, Absent, Leave},
		{"existing, directory, nothing there", existing, dir, Absent, Leave},
		{"existing, fifo, nothing there", existing, fifo, Absent, Skip},
		{"existing, file over file", existing, file, file, Replace},
		{"existing, file over directory", existing, file, dir, ReplaceDir},
		{"existing, directory over directory", existing, dir, dir, Descend},
		{"existing, directory over file", existing, dir, file, NotDir},

		{"ignore existing, nothing there", ignore, file, Absent, Create},
		{"ignore existing, file over file", ignore, file, file, Leave},
		{"ignore existing, link over directory", ignore, link, dir, Leave},
		{"ignore existing, fifo over file", ignore, fifo, file, Skip},
		{"ignore existing, directory over directory", ignore, dir, dir, Descend},
		{"ignore existing, directory over file", ignore, dir, file, NotDir},
		{"ignore existing, sync, directory over file", Policy{Sync: true, IgnoreExisting: true}, dir, file, KeptNotDir},
		{"existing and ignore existing, nothing there", Policy{Existing: true, IgnoreExisting: true}, file, Absent, Leave},

		{"compare, fifo", Policy{Sync: true, Compare: true}, fifo, Absent, Create},
		{"compare, device over file", Policy{Sync: true, Compare: true}, disk, file, Replace},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.Entry(tt.src, tt.dst); got != tt.want {
				t.Errorf("Entry(%v, %v) = %d, want %d", tt.src, tt.dst, got, tt.want)
			}
		})
	}
}

// TestEntryByPolicy holds all pairs of types against what each option promises.
func TestEntryByPolicy(t *testing.T) {
	types := []fs.FileMode{file, dir, link, fifo, sock, char, disk}
	for i := range 1 << 6 {
		on := func(bit int) bool { return i>>bit&1 != 0 }
		p := Policy{Sync: on(0), Compare: on(1), Existing: on(2), IgnoreExisting: on(3), Devices: on(4), Specials: on(5)}
		for _, src := range types {
			for _, dst := range append(types, Absent) {
				got := p.Entry(src, dst)
				is := func(actions ...Action) bool { return slices.Contains(actions, got) }
				for rule, holds := range map[string]bool{
					"skips exactly what is not copied":          is(Skip) == !p.Copies(src),
					"makes only what is not there":              !is(Create) || dst == Absent,
					"makes nothing new":                         !p.Existing || !is(Create),
					"changes nothing that is there":             !p.IgnoreExisting || dst == Absent || is(Skip, Leave, Descend, NotDir, KeptNotDir),
					"leaves only what an option says":           !is(Leave) || p.Existing && dst == Absent || p.IgnoreExisting && dst != Absent,
					"descends into directories of both sides":   is(Descend) == (src == dir && dst == dir),
					"replaces directories by what is none":      !is(ReplaceDir) || src != dir && dst == dir,
					"replaces by a directory in a sync":         !is(ReplaceWithDir) || p.Sync && src == dir && dst != dir,
					"fails only where a directory cannot stand": !is(NotDir, KeptNotDir) || src == dir && dst != dir && dst != Absent,
				} {
					if !holds {
						t.Errorf("%+v.Entry(%v, %v) = %d: not true that it %s", p, src, dst, got, rule)
					}
				}
			}
		}
	}
}

func TestFollowsDest(t *testing.T) {
	keeps := Policy{Links: Links{KeepDirlinks: true}}
	for _, tt := range []struct {
		policy Policy
		dst    fs.FileMode
		want   bool
	}{
		{keeps, link | 0o777, true},
		{keeps, dir, false},
		{keeps, file, false},
		{keeps, Absent, false},
		{Policy{}, link, false},
		{Policy{Links: Links{CopyDirlinks: true}}, link, false},
	} {
		if got := tt.policy.FollowsDest(tt.dst); got != tt.want {
			t.Errorf("%+v, %v: %v", tt.policy.Links, tt.dst, got)
		}
	}
}

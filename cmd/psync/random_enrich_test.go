package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// enrich gives entries metadata of all kinds, and both programs options that say what of
// it is kept.
func (g *generator) enrich() {
	g.Rand = rand.New(rand.NewPCG(g.s.seed, 1))
	g.keepOptions()
	g.specials(g.s.source)
	g.specials(g.s.dest)
	for _, at := range g.s.source.paths() {
		g.enrichTwins(at)
	}
	for _, at := range g.s.dest.paths() {
		if g.s.source[at].kind == 0 && g.chance(20) {
			e := g.s.dest[at]
			e.extra = g.extra(e)
			g.s.dest[at] = e
		}
	}
	g.groups()
	g.beFairToMetadata()
}

// keepOptions makes up what is to be kept. What comes later counts.
func (g *generator) keepOptions() {
	list := []string{"-a", "-p", "-o", "-g", "-D", "-H", "-A", "-X", "-S", "-O", "-J", "-U", "-a", "-H", "-A", "-X"}
	list = append(list, "--no-p", "--no-o", "--no-g", "--no-D", "--no-H", "--no-A", "--no-X", "--no-S", "--no-O", "--no-J", "--no-U",
		"--devices", "--specials", "--no-devices", "--no-specials", "--owner", "--group", "--perms", "--no-perms", "--no-owner", "--no-group",
		"--chmod=D755,F644", "--chmod=go-w", "--chmod=Fu+s,Fg+s", "--chmod=a-s,+t", "--chmod=Du+w,Fu=rw,go=", "--chmod=Fa=rX", "--chmod=o-rwx")
	if os.Geteuid() == 0 {
		list = append(list, pick(g, "--chown=1000", "--chown=:1000", "--chown=0:1000", "--chown=65534:0")) // rsync takes one only
	}
	g.s.keep = g.sample(list, 1+g.IntN(7))
	for i, arg := range g.s.keep {
		if arg == "-U" && (!canMountQuietly() || slices.Contains(g.s.keep[i:], "--no-U")) { // they would be compared
			g.s.keep[i] = "-t"
		}
	}
}

// specials makes sockets, and devices, of some entries.
func (g *generator) specials(t tree) {
	for _, at := range t.paths() {
		e := t[at]
		if e.kind == 'p' && g.chance(60) {
			e.kind = 's'
			if os.Geteuid() == 0 {
				e.kind = pick[byte](g, 's', 'c', 'b')
				e.extra = &extra{device: pick(g, 0x103, 0x7c8, 0x103), accessed: g.time()}
			}
			t[at] = e
		}
	}
}

// enrichTwins does so for an entry of the source, and its counterparts.
func (g *generator) enrichTwins(at string) {
	e := g.s.source[at]
	if g.chance(50) {
		e.extra = g.extra(e)
	}
	if g.chance(30) && e.kind != 'l' {
		e.mode |= pick[uint32](g, 0o1000, 0o2000, 0o4000, 0o6000)
	}
	g.s.source[at] = e
	for _, t := range []tree{g.s.dest, g.s.spare} {
		there, ok := t[at]
		if !ok {
			continue
		}
		switch n := g.IntN(4); {
		case n < 2 && there.kind == e.kind:
			there.extra = e.extra
			there.mode |= e.mode & 0o7000
		case n == 2:
			there.extra = g.extra(there)
		}
		t[at] = there
	}
}

// extra makes up what only some entries have.
func (g *generator) extra(e entry) *extra {
	x := &extra{accessed: g.time(), attrs: make(map[string]string)}
	if e.extra != nil {
		x.device = e.extra.device
	}
	if e.kind != 'l' && g.chance(40) {
		x.access = g.acl()
	}
	if e.kind == 'd' && g.chance(40) {
		x.inherited = g.acl()
	}
	for range g.IntN(3) {
		name := "user." + pick(g, "a", "b")
		if os.Geteuid() == 0 && (g.chance(30) || e.kind != 'f' && e.kind != 'd') {
			name = "trusted." + pick(g, "a", "b")
		} else if e.kind != 'f' && e.kind != 'd' {
			continue
		}
		x.attrs[name] = pick(g, "", "x", "\x00\xff", strings.Repeat("long", 100))
	}
	if os.Geteuid() == 0 && e.kind == 'f' && g.chance(10) {
		x.attrs["security.capability"] = "\x01\x00\x00\x02\x00\x24\x00\x00" + strings.Repeat("\x00", 12)
	}
	return x
}

// acl is a list as acl(5) says it has to be.
func (g *generator) acl() []byte {
	list := "\x02\x00\x00\x00"
	add := func(tag, perm byte, id string) { list += string([]byte{tag, 0, perm, 0}) + id }
	const noID = "\xff\xff\xff\xff"
	add(0x01, 7, noID)
	named := g.chance(60)
	if named {
		add(0x02, byte(g.IntN(8)), "\xe8\x03\x00\x00")
	}
	add(0x04, byte(g.IntN(8)), noID)
	if named || g.chance(30) {
		add(0x10, byte(g.IntN(8)), noID)
	}
	add(0x20, byte(g.IntN(8)), noID)
	return []byte(list)
}

// groups makes some entries of the source names of others, and some of their counterparts.
func (g *generator) groups() {
	if g.follows() {
		return // or else what links lead to changes
	}
	var leaders []string
	for _, at := range g.s.source.paths() {
		e := g.s.source[at]
		if e.kind == 'd' || e.mode&0o400 == 0 || g.chance(50) { // to read what is closed, the test opens each name
			continue
		}
		if len(leaders) == 0 || g.chance(40) {
			leaders = append(leaders, at)
			continue
		}
		first := pick(g, leaders...)
		if g.s.source[first].kind == e.kind {
			e = g.s.source[first]
			e.first = first
			g.s.source[at] = e
			g.beFairTo(at)
		}
	}
	if !slices.Contains(g.s.keep, "-H") {
		return // names of the destination stay those of one file, and which comes last counts
	}
	for _, at := range g.s.source.paths() {
		first := g.s.source[at].first
		e, ok := g.s.dest[first]
		if there := g.s.dest[at].kind; first != "" && ok && there == e.kind && g.chance(60) {
			e.first = first
			g.s.dest[at] = e
		}
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"psync/internal/plan"
)

// A scenario is a pair of trees and a command line for them.
type scenario struct {
	seed         uint64
	source, dest tree
	spare        tree     // of --link-dest and the like
	args         []string // for both programs; @ stands for a directory of their own
	keep         []string // more of them, which say what metadata is kept
	psync        []string // for psync alone
	list         []string // for --files-from
	closed       []string // directories of the source that ordinary users cannot read
	far          string   // which tree is on another host for psync: source, dest, or neither
}

// A tree holds its entries by path. In sorted order, directories come before their entries.
type tree map[string]entry

// An entry can be made, and made again.
type entry struct {
	kind   byte // f, d, l or p, as of find(1)
	mode   uint32
	owner  int
	time   time.Time
	size   int
	fill   byte   // what a file consists of
	target string // of a link; @ stands for a directory that both programs share
	extra  *extra // nil if it has nothing of the kind
	first  string // another name of it, if that is there
}

// An extra is metadata that only some entries have.
type extra struct {
	access, inherited []byte            // ACLs, in the form of the kernel
	attrs             map[string]string // extended attributes
	accessed          time.Time
	device            int
}

// generate generates a scenario. It is the same for the same seed.
func generate(seed uint64) scenario {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	g.s.seed = seed
	g.s.far = []string{"", "dest", "source"}[seed%3]
	g.names = g.sample(names(), 4+g.IntN(4))
	g.options()
	g.s.source, g.s.dest, g.s.spare = tree{}, tree{}, tree{}
	g.pair("", 0)
	if g.has("-y") {
		g.enlarge()
	}
	if slices.ContainsFunc(g.s.args, func(arg string) bool { return strings.HasSuffix(arg, "@/spare") }) {
		g.fillSpare()
	}
	g.beFair()
	if richPairs && seed%2 == 1 {
		g.enrich()
	}
	// What makes a case fair may take away the directory of an entry that another rule puts there.
	g.s.source, g.s.dest = g.s.source.withoutOrphans(), g.s.dest.withoutOrphans()
	if g.has("--files-from=") {
		g.fillList()
	}
	return g.s
}

// names are the names of all entries: only a few, so that they coincide.
func names() []string {
	list := []string{"a", "b", "c", "ab", "B", "a.c", "a b", "two\nlines", "-rf", ".hidden", "é", "a~"}
	if runtime.GOOS == "linux" { // others want UTF-8
		list = append(list, "\xff\xfe", "latin\xe9")
	}
	return list
}

// A generator generates one scenario.
type generator struct {
	*rand.Rand
	s     scenario
	names []string
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) sample(list []string, n int) []string {
	list = slices.Clone(list)
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// has reports whether one of the arguments of both programs starts with prefix.
func (g *generator) has(prefixes ...string) bool { return g.s.has(prefixes...) }

func (s *scenario) has(prefixes ...string) bool {
	return slices.ContainsFunc(slices.Concat(s.args, s.keep), func(arg string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(arg, p) })
	})
}

// pair fills a directory that both sides have.
func (g *generator) pair(dir string, depth int) {
	for _, name := range g.names {
		at := path.Join(dir, name)
		e := g.entry(depth)
		switch n := g.IntN(100); {
		case n < 15: // neither has it
		case n < 30:
			g.add(g.s.source, at, e, depth)
		case n < 50:
			g.add(g.s.dest, at, e, depth)
		case n < 65: // whatever it is on either side
			g.add(g.s.source, at, e, depth)
			g.add(g.s.dest, at, g.entry(depth), depth)
		default:
			g.s.source[at] = e
			g.s.dest[at] = e
			if n < 85 {
				g.s.dest[at] = g.change(e, depth)
			}
			if e.kind == 'd' && g.s.dest[at].kind == 'd' {
				g.pair(at, depth+1)
			}
		}
	}
}

// add puts an entry, and what is in it, into one of the trees.
func (g *generator) add(t tree, at string, e entry, depth int) {
	t[at] = e
	if e.kind != 'd' {
		return
	}
	for _, name := range g.names {
		if g.chance(40) {
			g.add(t, path.Join(at, name), g.entry(depth+1), depth+1)
		}
	}
}

func (g *generator) entry(depth int) entry {
	e := entry{kind: pick[byte](g, 'f', 'f', 'f', 'f', 'd', 'd', 'd', 'l', 'l', 'p'), time: g.time()}
	if e.kind == 'd' && depth >= 3 {
		e.kind = 'f'
	}
	if g.chance(10) {
		e.owner = 1000
	}
	e.mode = g.mode(e.kind)
	switch e.kind {
	case 'f':
		e.size, e.fill = g.size(), pick[byte](g, 'x', 'y')
	case 'l':
		e.target = g.target(depth)
	}
	return e
}

// change returns an entry that differs in a part of what e is.
func (g *generator) change(e entry, depth int) entry {
	switch g.IntN(6) {
	case 0:
		e.mode = g.mode(e.kind)
	case 1, 2:
		e.time = g.time()
	case 3:
		e.size, e.fill = g.size(), pick[byte](g, 'x', 'y')
	case 4:
		e.fill ^= 'x' ^ 'y' // nothing that can be seen from outside
	case 5:
		e.mode, e.time, e.owner = g.mode(e.kind), g.time(), pick(g, 0, 1000)
	}
	if e.kind == 'l' && g.chance(50) {
		e.target = g.target(depth)
	}
	return e
}

// enlarge makes one or two files large enough for --fuzzy, and those in their directories of the destination large enough
// to be taken for similar ones.
func (g *generator) enlarge() {
	files := slices.DeleteFunc(g.s.source.paths(), func(at string) bool { return g.s.source[at].kind != 'f' })
	for _, large := range g.sample(files, 1+g.IntN(2)) {
		e := g.s.source[large]
		e.size += plan.MinPatch
		g.s.source[large] = e
		for at, there := range g.s.dest {
			if there.kind == 'f' && path.Dir(at) == path.Dir(large) {
				there.size += 1 << 20
				g.s.dest[at] = there
			}
		}
	}
}

func (g *generator) size() int { return pick(g, 0, 1, 7, 7, 5000) }

func (g *generator) time() time.Time {
	t := time.Date(2020, 2, 20, 20, 20, 20, 123456789, time.UTC)
	return pick(g, t, t, t, t.Add(1), t.Add(time.Second/2), time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1960, 1, 1, 0, 0, 0, 999999999, time.UTC), time.Date(2040, 1, 1, 0, 0, 0, 1, time.UTC))
}

func (g *generator) mode(kind byte) uint32 {
	if kind == 'd' {
		return pick[uint32](g, 0o755, 0o755, 0o755, 0o700, 0o777, 0o750, 0o555, 0o500)
	}
	return pick[uint32](g, 0o644, 0o644, 0o644, 0o600, 0o755, 0o444, 0o400, 0o666)
}

// target returns where a link leads to. Where links are followed, it leads to
// something beside it or further down, so that there is an end to following.
func (g *generator) target(depth int) string {
	name := pick(g, g.names...)
	list := []string{name, name, name + "/" + pick(g, g.names...), "nowhere", "@/shared/f", "@/shared/sub", "/nonexistent"}
	if !g.follows() {
		up := strings.Repeat("../", depth+1)
		list = append(list, ".", "..", "../"+name, up+name, name+"/../"+name, up+"outside/f", up+"outside/sub", "./"+name, name+"/")
	}
	return pick(g, list...)
}

// follows reports whether links of the source may be followed.
func (g *generator) follows() bool { return g.s.follows() }

func (s *scenario) follows() bool { return s.has("-L", "-k", "--copy-unsafe-links") }

// fillSpare makes a tree that is in part as the source.
func (g *generator) fillSpare() {
	for _, at := range g.s.source.paths() {
		if up, ok := g.s.spare[path.Dir(at)]; path.Dir(at) != "." && (!ok || up.kind != 'd') || g.chance(20) {
			continue
		}
		e := g.s.source[at]
		if g.chance(30) {
			e = g.change(e, strings.Count(at, "/"))
		}
		g.s.spare[at] = e
	}
}

// fillList names some entries of the source.
func (g *generator) fillList() {
	for _, at := range g.s.source.paths() {
		if g.chance(25) {
			g.s.list = append(g.s.list, at)
		}
	}
	if len(g.s.list) == 0 {
		g.s.drop("--files-from=")
	}
}

// An option is one that a scenario may have. Of each group there is at most one.
type option struct {
	group string
	args  []string
}

var randomOptions = []option{
	{"differs", []string{"-c"}},
	{"differs", []string{"-I"}},
	{"differs", []string{"--size-only"}},
	{"update", []string{"-u"}},
	{"existing", []string{"--existing"}},
	{"ignore", []string{"--ignore-existing"}},
	{"max", []string{"--max-size=6"}},
	{"max", []string{"--max-size=4.5K"}},
	{"min", []string{"--min-size=1"}},
	{"min", []string{"--min-size=7"}},
	{"prune", []string{"-m"}},
	{"boundary", []string{"-x"}},
	{"backup", []string{"-b"}},
	{"backup", []string{"-b", "--suffix=.c"}},
	{"backup", []string{"-b", "--backup-dir=@/backup"}},
	{"spare", []string{"--link-dest=@/spare"}},
	{"spare", []string{"--copy-dest=@/spare"}},
	{"spare", []string{"--compare-dest=@/spare"}},
	{"follow", []string{"-L"}},
	{"follow", []string{"-k"}},
	{"follow", []string{"--safe-links"}},
	{"follow", []string{"--copy-unsafe-links"}},
	{"keep", []string{"-K"}},
	{"inplace", []string{"--inplace"}},
	{"inplace", []string{"--append"}},
	{"inplace", []string{"--append-verify"}},
	{"partial", []string{"--partial-dir=.hidden"}},
	{"fuzzy", []string{"-y"}},
	{"source", []string{"--remove-source-files"}},
	{"owner", []string{"-o"}},
	{"owner", []string{"-g"}},
	{"owner", []string{"-o", "-g"}},
	{"list", []string{"--files-from=@/list"}},
}

// options generates a command line.
func (g *generator) options() {
	g.s.psync = []string{"-j" + pick(g, "1", "2", "3", "16")}
	groups := make(map[string]bool)
	for range g.IntN(5) {
		o := pick(g, randomOptions...)
		if !groups[o.group] {
			groups[o.group] = true
			g.s.args = append(g.s.args, o.args...)
		}
	}
	if g.chance(40) {
		g.rules()
	}
}

func (g *generator) rules() {
	if g.chance(15) {
		g.s.args = append(g.s.args, "--delete-excluded")
	}
	for range 1 + g.IntN(3) {
		rule := pick(g, "--exclude=", "--exclude=", "--include=", "--filter=P ", "--filter=R ", "--filter=H ", "--filter=S ", "--filter=- ", "--filter=+ ")
		g.s.args = append(g.s.args, rule+g.pattern())
	}
}

func (g *generator) pattern() string {
	var b strings.Builder
	if g.chance(30) {
		b.WriteByte('/')
	}
	for i := range 1 + g.IntN(10)/7 {
		if i > 0 {
			b.WriteByte('/')
		}
		name := pick(g, g.names...)
		b.WriteString(pick(g, name, name, name, "*", "**", "?", name[:1]+"*", "*"+name[len(name)-1:], "[!"+name[:1]+"]*"))
	}
	if g.chance(20) {
		b.WriteByte('/')
	}
	return b.String()
}

func (s scenario) String() string {
	var b strings.Builder
	for _, side := range []struct {
		name string
		tree tree
	}{{"source", s.source}, {"dest", s.dest}, {"spare", s.spare}} {
		for _, at := range side.tree.paths() {
			e := side.tree[at]
			fmt.Fprintf(&b, "%-6s %-12q %c %03o %d %s", side.name, at, e.kind, e.mode, e.owner, e.time.Format("2006-01-02T15:04:05.999999999"))
			switch e.kind {
			case 'f':
				fmt.Fprintf(&b, " %d×%c", e.size, e.fill)
			case 'l':
				fmt.Fprintf(&b, " -> %q", e.target)
			}
			if side.tree.isName(at) {
				fmt.Fprintf(&b, " = %q", e.first)
			} else if x := e.extra; x != nil {
				fmt.Fprintf(&b, " access %x inherited %x %q %v %#x", x.access, x.inherited, x.attrs, x.accessed, x.device)
			}
			b.WriteByte('\n')
		}
	}
	if s.far != "" {
		fmt.Fprintf(&b, "far    %s\n", s.far)
	}
	if s.list != nil {
		fmt.Fprintf(&b, "list   %q\n", s.list)
	}
	return b.String()
}

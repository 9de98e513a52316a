package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"psync/internal/campaign"
)

// TestRandomCp runs random command lines with psync cp and GNU cp on random trees, and fails unless they do
// the same. CPRUNS in the environment is the number of runs, and CPRUNS_SEED the seed of the first, or
// "random". To repeat a failed run, use -run TestRandomCp/seed=NUMBER.
func TestRandomCp(t *testing.T) {
	if !hasModelCp() && (!hasGNUCp() || os.Getenv("CPRUNS") == "") {
		t.Skip("cp is not that of GNU coreutils " + modelOfCp)
	}
	letUserIn(t)
	for _, seed := range campaign.Seeds("CPRUNS", 15, 60) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			checkCp(t, generateCp(seed))
		})
	}
}

// checkCp runs a scenario, where source is the whole tree, keep the options, and args the operands. If it
// fails, checkCp looks for a smaller scenario that fails in the same way.
func checkCp(t *testing.T, s scenario) {
	t.Helper()
	dir := placeForCp(t)
	try := func(s scenario) *failure {
		c := cpRun{args: slices.Concat(s.keep, []string{"--"}, s.args), stdin: "y\nn\ny\nyes\nno\n", user: s.seed%4 == 3}
		plant := func() error { return s.source.plant(dir, dir) }
		theirs, ours, err := c.both(dir, plant)
		if errors.Is(err, errInodeOrder) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatalf("seed %d: %v", s.seed, err)
		}
		if strings.Contains(theirs.stderr, "File name too long") {
			return nil // theirs copied copies of copies
		}
		text := c.report(dir, plant, theirs, ours)
		if text == "" {
			return nil
		}
		what, _, _ := strings.Cut(text, ":")
		return &failure{strings.Trim(what, `"`), text}
	}
	if f := try(s); f != nil {
		s, f = shrink(s, f, try)
		t.Errorf("go test -run TestRandomCp/seed=%d; this is enough for it:\n%s", s.seed, f.text)
	}
}

// generateCp generates a scenario. It is the same for the same seed.
func generateCp(seed uint64) scenario {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
	g.s.seed, g.s.source = seed, tree{}
	g.names = g.sample([]string{"a", "b", "c", "d", "a~", "b.~1~", "a b", "it's"}, 3+g.IntN(3))
	for _, top := range []string{"s", "t", "e"} {
		g.s.source[top] = entry{kind: 'd', mode: pick[uint32](g, 0o755, 0o700, 0o775), time: g.time()}
	}
	g.cpOptions()
	for range 6 + g.IntN(18) {
		g.growForCp()
	}
	g.cpOperands()
	return g.s
}

// growForCp adds an entry below one of the directories. Many names exist both below s and below t.
func (g *generator) growForCp() {
	var dirs []string
	for _, at := range g.s.source.paths() {
		if g.s.source[at].kind == 'd' && strings.Count(at, "/") < 3 {
			dirs = append(dirs, at)
		}
	}
	at := path.Join(pick(g, dirs...), pick(g, g.names...))
	e := g.entry(strings.Count(at, "/"))
	e.owner = pick(g, 0, 0, 0, 0, 0, nobodyUID, 1000)
	if os.Geteuid() != 0 {
		e.owner = 0
	}
	if g.chance(15) && e.kind != 'l' {
		e.mode |= pick[uint32](g, 0o1000, 0o2000, 0o4000, 0o6000)
	}
	if e.kind == 'p' { // no other process would write to the fifo, or read from it
		e.kind = 's'
	}
	if e.kind == 'l' {
		e.target = g.cpTarget(at)
	}
	g.addForCp(at, e)
	if twin, ok := strings.CutPrefix(at, "s/"); ok && g.chance(50) {
		if g.chance(30) {
			e = g.change(e, 1)
		}
		g.addForCp("t/"+twin, e)
	}
}

func (g *generator) addForCp(at string, e entry) {
	if _, taken := g.s.source[at]; taken || g.s.source[path.Dir(at)].kind != 'd' {
		return
	}
	if g.chance(20) {
		for _, other := range g.s.source.paths() {
			if o := g.s.source[other]; o.kind == e.kind && e.kind != 'd' && o.first == "" && g.chance(40) {
				e = o
				e.first = other
				break
			}
		}
	}
	g.s.source[at] = e
}

// cpTarget returns where a link at a path leads to.
func (g *generator) cpTarget(at string) string {
	up := strings.Repeat("../", strings.Count(at, "/"))
	name := pick(g, g.names...)
	if g.s.hasLetter('L') || g.s.hasLetter('l') { // theirs would copy copies of copies, until names get too long
		return pick(g, name, name, "nowhere")
	}
	return pick(g, name, name, "nowhere", ".", "..", up+"s", up+"t", up+"e", up+"s/"+name, up+"t/"+name, "@/s/"+name, "./"+name, name+"/"+pick(g, g.names...), up+"new")
}

// hasLetter reports whether there is a short option.
func (s *scenario) hasLetter(letter byte) bool {
	return slices.ContainsFunc(s.keep, func(arg string) bool { return len(arg) == 2 && arg[1] == letter })
}

// cpOptions generates options. Options that are more frequent in the list are more frequent on command lines.
func (g *generator) cpOptions() {
	list := []string{
		"-r", "-r", "-r", "-r", "-R", "-a", "-a", "-a", "-d", "-p", "-p", "-f", "-f", "-v", "-v", "-v", "-u", "-u", "-n", "-i", "-b", "-b", "-l", "-l", "-s", "-H", "-L", "-L", "-P", "-P", "-T", "-T", "-x",
		"--backup=t", "--backup=existing", "--backup=simple", "--backup=none", "--suffix=.c", "--suffix=b", "--remove-destination", "--remove-destination", "--parents", "--parents", "--strip-trailing-slashes", "--attributes-only", "--copy-contents",
		"--preserve=mode", "--preserve=links", "--preserve=links", "--preserve=timestamps", "--preserve=ownership", "--preserve=all", "--preserve=xattr", "--no-preserve=mode", "--no-preserve=links", "--no-preserve=timestamps", "--no-preserve=ownership", "--no-preserve=all",
		"--sparse=always", "--sparse=never", "--reflink=never", "--reflink=auto", "--reflink=always", "-Z",
	}
	if gnuCpVersion() < versionNumber("9.2") { // it puts simple backups into the wrong directory, and leaves empty files
		list = slices.DeleteFunc(list, func(arg string) bool {
			return arg == "-b" || arg == "--reflink=always" || strings.HasPrefix(arg, "--backup=") && arg != "--backup=t" || strings.HasPrefix(arg, "--suffix=")
		})
	}
	g.s.keep = g.sample(list, 1+g.IntN(6))
	if g.s.hasLetter('u') { // without it, theirs makes links of newer files all the same, and of -l nothing is left
		g.s.keep = slices.DeleteFunc(g.s.keep, func(arg string) bool { return arg == "-l" || strings.HasPrefix(arg, "--no-preserve") })
		g.s.keep = append(g.s.keep, "--preserve=links")
	}
	if g.chance(60) && !g.s.hasLetter('r') && !g.s.hasLetter('R') && !g.s.hasLetter('a') {
		g.s.keep = append(g.s.keep, "-r")
	}
}

// cpOperands generates operands: mostly an entry below s, and then one below t.
func (g *generator) cpOperands() {
	paths := g.s.source.paths()
	operands := pick(g, 1, 1, 1, 1, 2, 2, 3)
	if g.has("--parents") {
		operands = 1 // theirs thinks what it has made for one to be new for the next
	}
	for range operands {
		at := pick(g, paths...)
		if !strings.HasPrefix(at, "s") && g.chance(60) {
			at = pick(g, "s", "s/"+pick(g, g.names...))
		}
		g.s.args = append(g.s.args, g.spell(at))
	}
	if g.has("-p", "-a", "--preserve=mode", "--preserve=all") {
		// What is copied to the directory above may change the mode of what it is copied from, which theirs reads
		// twice, with the ACL for a second time.
		g.s.args = slices.DeleteFunc(g.s.args, func(arg string) bool { return strings.HasSuffix(arg, "/.") })
		if len(g.s.args) == 0 {
			g.s.args = []string{"s"}
		}
	}
	dest := pick(g, "t", "t", "t", "e", "e", "new", "t/new", "t/"+pick(g, g.names...), "e/"+pick(g, g.names...), pick(g, paths...), ".")
	g.s.args = append(g.s.args, g.spell(dest))
}

// spell returns a path in one of the ways to write it.
func (g *generator) spell(at string) string {
	list := []string{at, at, at, at, at, at, at, at + "/", at + "/.", "./" + at, strings.ReplaceAll(at, "/", "//"), "s/../" + at}
	if !g.s.hasLetter('L') && !g.s.hasLetter('l') { // for the same reason as above
		list = append(list, at+"/..")
	}
	if !g.has("--parents") { // directories of the system, which would be copied, too, have other times
		list = append(list, "@/"+at)
	}
	return pick(g, list...)
}

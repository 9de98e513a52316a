package cli

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A ruledDir is a directory with entries, and with files of rules, which take part as all others.
type ruledDir struct {
	files map[string]string // contents by name
	dirs  map[string]*ruledDir
}

// randomRuledDir makes a directory up, with files of rules that merge others. Some of these are missing, and some lines are
// no rules.
func randomRuledDir(r *rand.Rand, depth int) *ruledDir {
	d := &ruledDir{files: map[string]string{"f": "f", "g": "g"}, dirs: make(map[string]*ruledDir)}
	names := []string{"a", "b", "x.o", "y.o", "k.c"}
	for _, name := range names {
		switch r.IntN(4) {
		case 0:
			d.files[name] = name
		case 1:
			if depth > 0 {
				d.dirs[name] = randomRuledDir(r, depth-1)
			}
		}
	}
	lines := []string{"- *.o", "+ x.o", "- a", "+ b", "- b", "- *.c", "# text"}
	merged := []string{"rules", "more", ".rest"}
	file := func(merges []string) string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(lines[r.IntN(len(lines))] + "\n")
			if len(merges) > 0 && r.IntN(3) == 0 {
				b.WriteString([]string{". ", "merge "}[r.IntN(2)] + merges[r.IntN(len(merges))] + "\n")
			}
		}
		if r.IntN(12) == 0 {
			b.WriteString("what? is this\n")
		}
		return b.String()
	}
	if r.IntN(2) == 0 {
		d.files[".rsync-filter"] = file(merged)
		for i, name := range merged {
			if r.IntN(3) > 0 {
				d.files[name] = file(merged[i+1:])
			}
		}
	}
	return d
}

// rulesIn reads a file of rules of d, with those that it merges. broken says that one is missing, or has a line that is no rule.
func (d *ruledDir) rulesIn(name string) (rules []string, broken bool) {
	text, ok := d.files[name]
	if !ok {
		return nil, true
	}
	for line := range strings.Lines(text) {
		verb, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "-", "+":
			rules = append(rules, verb+arg)
		case ".", "merge":
			more, bad := d.rulesIn(arg)
			rules, broken = append(rules, more...), broken || bad
		case "#":
		default:
			broken = true
		}
	}
	return rules, broken
}

// admitted returns the paths below d that take part, and those of directories whose rules are broken, whose entries are
// unknown.
func (d *ruledDir) admitted(at string, outer []string) (paths, broken []string) {
	rules := outer
	if _, ok := d.files[".rsync-filter"]; ok {
		own, bad := d.rulesIn(".rsync-filter")
		if bad {
			return nil, []string{at}
		}
		rules = slices.Concat(own, outer)
	}
	hidden := func(name string) bool {
		for _, rule := range rules {
			if is, _ := path.Match(rule[1:], name); is {
				return rule[0] == '-'
			}
		}
		return false
	}
	for name := range d.files {
		if !hidden(name) {
			paths = append(paths, path.Join(at, name))
		}
	}
	for name, sub := range d.dirs {
		if !hidden(name) {
			more, bad := sub.admitted(path.Join(at, name), rules)
			paths = append(append(paths, path.Join(at, name)), more...)
			broken = append(broken, bad...)
		}
	}
	slices.Sort(paths)
	return paths, broken
}

func (d *ruledDir) write(t *testing.T, to string) {
	t.Helper()
	for name, text := range d.files {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, sub := range d.dirs {
		if err := os.MkdirAll(filepath.Join(to, name), 0o700); err != nil {
			t.Fatal(err)
		}
		sub.write(t, filepath.Join(to, name))
	}
}

// mend makes the rules of a directory right: what is missing is made, and what is no rule goes.
func (d *ruledDir) mend() {
	for _, name := range []string{".rsync-filter", "rules", "more", ".rest"} {
		if text, ok := d.files[name]; ok {
			d.files[name] = strings.ReplaceAll(text, "what? is this\n", "")
		} else if name != ".rsync-filter" {
			d.files[name] = ""
		}
	}
}

// at returns the directory at a path below d.
func (d *ruledDir) at(p string) *ruledDir {
	for name := range strings.SplitSeq(p, "/") {
		if name != "" {
			d = d.dirs[name]
		}
	}
	return d
}

// TestJournalsOfRules copies random trees with files of rules, of which some merge others that are missing. Where a journal
// says that a run is complete, the destination has what an independent filter admits, and no more; where rules are broken,
// it never says so, and when they are mended, --resume completes what they have kept out.
func TestJournalsOfRules(t *testing.T) {
	complete, incomplete := 0, 0
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 11))
		tree := randomRuledDir(r, 3)
		dir := t.TempDir()
		src, dst, journal := filepath.Join(dir, "src"), filepath.Join(dir, "dst"), filepath.Join(dir, "journal")
		if err := os.Mkdir(src, 0o700); err != nil {
			t.Fatal(err)
		}
		verb := []string{"copy", "sync"}[r.IntN(2)]
		for run := 0; ; run++ {
			tree.write(t, src)
			paths, broken := tree.admitted("", nil)
			var out bytes.Buffer
			process := Process{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}
			code := Main(t.Context(), []string{verb, "-aF", "--journal=" + journal, "--resume", src + "/", dst}, process)
			said := Main(t.Context(), []string{"status", journal}, process)
			if len(broken) > 0 {
				incomplete++
				if code != ExitFailed || said != ExitIncomplete {
					t.Fatalf("seed %d, run %d: psync = %d, status = %d, where the rules of %q are broken:\n%s", seed, run, code, said, broken, &out)
				}
				for _, at := range broken {
					tree.at(at).mend()
				}
				continue
			}
			complete++
			if got := pathsBelow(t, dst); code != ExitOK || said != ExitOK || !slices.Equal(got, paths) {
				t.Fatalf("seed %d, run %d: psync = %d, status = %d, and the destination has\n%q, want\n%q\n%s", seed, run, code, said, got, paths, &out)
			}
			break
		}
	}
	if complete < 80 || incomplete < 20 {
		t.Errorf("%d runs were complete, and %d were not", complete, incomplete)
	}
}

// pathsBelow returns the paths of all entries below a directory.
func pathsBelow(t *testing.T, root string) (paths []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, _ fs.DirEntry, err error) error {
		if p != "." {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

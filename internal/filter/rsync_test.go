package filter_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"psync/internal/campaign"
	"psync/internal/filter"
)

// TestAgainstRsync gives random rules to rsync and to the package. FILTER in the environment
// says how many, and FILTER_SEED which, or "random".
func TestAgainstRsync(t *testing.T) {
	if out, err := exec.Command("rsync", "--version").Output(); err != nil || !bytes.Contains(out, []byte("version 3.")) {
		t.Skip("rsync 3 is not installed")
	}
	needNames(t)
	cases, seed := uint64(campaign.Size("FILTER", 100, 100)), campaign.Seed("FILTER")
	w := newWorld(t, rand.New(rand.NewPCG(seed, 0)))
	var workers sync.WaitGroup
	const n = 4
	for k := range uint64(n) {
		workers.Go(func() {
			for i := k; i < cases && !t.Failed(); i += n {
				w.compare(t, fmt.Sprintf("FILTER_SEED=%d, case %d", seed, i), rand.New(rand.NewPCG(seed, i+1)))
			}
		})
	}
	workers.Wait()
}

// needNames skips the test where names cannot be arbitrary bytes.
func needNames(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "a\xe9"), nil, 0o666)
	if _, folded := os.Lstat(filepath.Join(dir, "A\xe9")); err != nil || folded == nil {
		t.Skip("no file system with names of any bytes")
	}
}

// world is a source and a destination with additional entries. Paths in a tree are relative, and directories
// end in a slash.
type world struct {
	dir, source, dest string
	have, extra       map[string]bool
}

var elementNames = []string{"a", "b", "ab", "aab", "B", "1", "a.c", ".x", "-", "[b]", "a*", `a\`, "é", "\xe9", "a b"}

func newWorld(t *testing.T, r *rand.Rand) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{dir, filepath.Join(dir, "src"), filepath.Join(dir, "dst"), map[string]bool{}, map[string]bool{}}
	w.grow(r, "", 0, true)
	for path := range w.extra {
		w.create(t, w.dest, path)
		if w.have[path] {
			w.create(t, w.source, path)
		}
	}
	return w
}

// grow makes up a directory. Type and name of an entry agree on both sides.
func (w *world) grow(r *rand.Rand, dir string, depth int, both bool) {
	for _, name := range elementNames {
		if r.IntN(10) >= 6-depth {
			continue
		}
		path, both := dir+name, both && r.IntN(3) > 0
		deeper := depth < 3 && r.IntN(5) < 2
		if deeper {
			path += "/"
		}
		w.extra[path] = true
		if both {
			w.have[path] = true
		}
		if deeper {
			w.grow(r, path, depth+1, both)
		}
	}
}

func (w *world) create(t *testing.T, root, path string) {
	t.Helper()
	full := filepath.Join(root, path)
	err := os.MkdirAll(filepath.Dir(full), 0o777)
	if strings.HasSuffix(path, "/") {
		err = errors.Join(err, os.MkdirAll(full, 0o777))
	} else {
		err = errors.Join(err, os.WriteFile(full, nil, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// compare runs one case.
func (w *world) compare(t *testing.T, id string, r *rand.Rand) {
	t.Helper()
	rules := randomRules(r, filepath.Join(w.dir, strconv.FormatUint(r.Uint64(), 36)))
	for name, text := range rules.files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Error(err)
			return
		}
		defer os.Remove(name)
	}
	args := append([]string{"-rnIii8", "--delete", "--out-format=%i|%o|%n"}, rules.args...)
	cmd := exec.Command("rsync", append(args, w.source+"/", w.dest+"/")...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 23 || err == nil { // 23: a directory was not empty
		err = nil
	}
	got, ours := w.predict(rules)
	if (err != nil) != (ours != nil) {
		t.Errorf("%s: %v: rsync says %v: %s, we say %v", id, rules, err, stderr.Bytes(), ours)
		return
	}
	if err != nil {
		return
	}
	want := readListing(string(out))
	slices.Sort(want)
	for _, line := range difference(want, got) {
		t.Errorf("%s: %v: rsync alone: %s", id, rules, line)
	}
	for _, line := range difference(got, want) {
		t.Errorf("%s: %v: we alone: %s", id, rules, line)
	}
}

// readListing reads what rsync would do, in the words of predict.
func readListing(out string) []string {
	var list []string
	full := make(map[string]bool)
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if dir, ok := strings.CutPrefix(line, "cannot delete non-empty directory: "); ok {
			full[dir] = true
			continue
		}
		// A dry run claims to delete a directory even after it has reported that it cannot.
		switch f := strings.Split(line, "|"); {
		case f[1] == "del." && !full[strings.TrimSuffix(f[2], "/")]:
			list = append(list, "delete "+f[2])
		case f[1] != "del." && f[2] != "./":
			list = append(list, "copy "+f[2])
		}
	}
	return list
}

func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(b, line) })
}

// predict walks the trees with the rules as a copier does.
func (w *world) predict(rules ruleList) ([]string, error) {
	r, err := rules.build()
	if err != nil {
		return nil, err
	}
	sent := make(map[string]bool)
	var plan []string
	for _, path := range slices.Sorted(maps.Keys(w.have)) {
		parent := path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
		if (parent == "" || sent[parent]) && !ask(r.Hidden, path) {
			sent[path] = true
			plan = append(plan, "copy "+path)
		}
	}
	kept := make(map[string]bool) // directories with an entry that stays
	paths := slices.Sorted(maps.Keys(w.extra))
	slices.Reverse(paths) // the entries of a directory come before the directory
	for _, path := range paths {
		parent := path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
		if sent[path] || kept[path] || w.stays(r, path, sent) {
			kept[parent] = true
		} else {
			plan = append(plan, "delete "+path)
		}
	}
	slices.Sort(plan)
	return plan, nil
}

// stays reports whether path, or a directory above it that is not sent, is protected.
func (w *world) stays(r *filter.Rules, path string, sent map[string]bool) bool {
	for path != "" && !sent[path] {
		if ask(r.Protected, path) {
			return true
		}
		path = path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
	}
	return false
}

func ask(question func(string, bool) bool, path string) bool {
	name, isDir := strings.CutSuffix(path, "/")
	return question(name, isDir)
}

// ruleList is a command line.
type ruleList struct {
	args  []string
	files map[string]string
}

func (l ruleList) String() string {
	return fmt.Sprintf("%q %q", l.args, l.files)
}

// build gives the command line to a Builder.
func (l ruleList) build() (*filter.Rules, error) {
	b := filter.Builder{Open: func(name string) (io.ReadCloser, error) {
		text, ok := l.files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}}
	deleteExcluded := slices.Contains(l.args, "--delete-excluded")
	b.From0 = slices.Contains(l.args, "--from0")
	options := map[string]func(string) error{
		"--exclude": b.Exclude, "--include": b.Include, "--filter": b.Filter,
		"--exclude-from": b.ExcludeFrom, "--include-from": b.IncludeFrom,
	}
	for _, arg := range l.args {
		name, value, _ := strings.Cut(arg, "=")
		if add := options[name]; add != nil {
			if err := add(value); err != nil {
				return nil, err
			}
		}
	}
	return b.Rules(deleteExcluded), nil
}

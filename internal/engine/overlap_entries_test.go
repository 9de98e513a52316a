package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/pairs"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// entries are lines of a tree by their paths.
type entries map[string]string

// randomEntries returns some entries, of one generation.
func randomEntries(r *rand.Rand, share float64, generation int) entries {
	es := make(entries)
	for _, dir := range []string{"", "p/", "p/q/", "z/"} {
		if dir != "" && r.Float64() > share+0.2 {
			continue
		}
		for i := range 4 {
			if r.Float64() < share {
				es[fmt.Sprintf("%sn%d", dir, i)] = randomEntry(r, generation)
			}
		}
	}
	return es
}

// randomEntry returns what follows the path in the line of an entry, or the line of an entry in a directory of that
// path.
func randomEntry(r *rand.Rand, generation int) string {
	when := fmt.Sprintf("@200%d-0%d-01T00:00:00Z", generation, 1+r.IntN(3))
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf(" %s -> target%d", when, r.IntN(3))
	case 1:
		return fmt.Sprintf(" 600 %s (fifo)", when)
	case 2:
		return fmt.Sprintf("/f 644 %s inner%d", when, generation)
	case 3:
		return fmt.Sprintf(" 640 %s \"%d, large \"*40000", when, generation)
	}
	return fmt.Sprintf(" 644 %s \"%d \"*%d", when, generation, 1+r.IntN(3))
}

// merge replaces some entries with those of another tree.
func (es entries) merge(r *rand.Rand, other entries) entries {
	for _, path := range slices.Sorted(maps.Keys(other)) {
		if r.IntN(4) == 0 {
			es[path] = other[path]
		}
	}
	return es
}

func (es entries) text() string {
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(es)) {
		out.WriteString(path + es[path] + "\n")
	}
	return out.String()
}

// versions returns what each path may hold.
func (es entries) versions() map[string][]string {
	m := memfs.New()
	root := m.Root()
	defer root.Close()
	versions := make(map[string][]string)
	fstest.Fill(infallible{}, root, es.text())
	for path, h := range stateOf(infallible{}, root) {
		versions[path] = append(versions[path], h.text)
	}
	return versions
}

// infallible is a test that must not fail.
type infallible struct{ testing.TB }

func (infallible) Helper()                      {}
func (infallible) Fatalf(f string, args ...any) { panic(fmt.Sprintf(f, args...)) }
func (infallible) Fatal(args ...any)            { panic(fmt.Sprint(args...)) }

// changeSource adds entries to the source, removes some, and replaces some.
func changeSource(t *testing.T, r *rand.Rand, src vfs.Dir, es entries, versions map[string][]string) {
	t.Helper()
	next := randomEntries(r, 0.4, 3)
	for _, path := range slices.Sorted(maps.Keys(es)) {
		_, again := next[path]
		if again || r.IntN(6) == 0 {
			removePath(t, src, path)
		}
	}
	fstest.Fill(t, src, next.text())
	for path, texts := range next.versions() {
		versions[path] = append(versions[path], texts...)
	}
}

// removePath removes the entry at a path, if it exists.
func removePath(t *testing.T, root vfs.Dir, path string) {
	t.Helper()
	up, name := parent(path)
	dir, err := pairs.Below(root, up, false)
	if err != nil {
		return
	}
	if up != "" {
		defer dir.Close()
	}
	removeAll(t, dir, name)
}

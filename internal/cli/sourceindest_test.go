package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestSourceInDestIsNeverTouched copies random trees into a directory above them, by random flags. Whatever psync says, the
// source is what it was.
func TestSourceInDestIsNeverTouched(t *testing.T) {
	names := []string{"s", "a", "b", "s~", "A"}
	chosen := []string{
		"--delete", "-b", "-b", "-b", "--force", "--force", "--inplace", "-a", "-k", "-L", "-K", "-F", "-m", "-u", "-n", "--existing", "--delay-updates",
		"--suffix=s", "--backup-dir=bak", "--exclude=/s", "--exclude=/a", "--exclude=b/",
	}
	copies := 0
	for seed := range uint64(120) {
		t.Chdir(t.TempDir())
		g := treeMaker{rand.New(rand.NewPCG(seed, 0)), names}
		src := g.pick(names)
		for range g.IntN(3) {
			src += "/" + g.pick(names)
		}
		g.fill(t, src, 3)
		g.fill(t, ".", 2)
		line := []string{g.pick([]string{"copy", "sync"})}
		for _, flag := range chosen {
			if g.IntN(6) == 0 {
				line = append(line, flag)
			}
		}
		line = append(line, src, ".")
		before := contents(t, src)
		var stderr bytes.Buffer
		code := Main(t.Context(), line, Process{Stdin: new(bytes.Buffer), Stdout: new(bytes.Buffer), Stderr: &stderr})
		if code == ExitOK {
			copies++
		}
		if after := contents(t, src); !maps.Equal(after, before) {
			t.Errorf("seed %d: psync %q ends with %d, and the source was\n%q\nand is\n%q\n%s", seed, line, code, before, after, &stderr)
		}
	}
	if copies == 0 {
		t.Error("everything is refused")
	}
}

// A treeMaker makes random trees of a few names.
type treeMaker struct {
	*rand.Rand
	names []string
}

func (g treeMaker) pick(from []string) string { return from[g.IntN(len(from))] }

// fill adds entries to a directory, which it makes if need be. What is there stays.
func (g treeMaker) fill(t *testing.T, dir string, depth int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range g.names {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil || g.IntN(2) == 0 {
			continue
		}
		var err error
		switch k := g.IntN(10); {
		case k < 6 && depth > 0:
			g.fill(t, path, depth-1)
		case k < 7:
			err = os.Symlink(g.pick([]string{"s", "../s", "a", ".", ".."}), path)
		default:
			err = os.WriteFile(path, fmt.Appendf(nil, "%s %d", path, g.IntN(1000)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns what each entry of a tree is, by path.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		what := e.Type().String()
		switch e.Type() {
		case 0:
			text, err := os.ReadFile(path)
			all[path] = what + string(text)
			return err
		case fs.ModeSymlink:
			target, err := os.Readlink(path)
			all[path] = what + target
			return err
		}
		all[path] = what
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

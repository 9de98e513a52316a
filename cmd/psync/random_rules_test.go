package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/campaign"
)

// TestRulesInFilesAsRsync has psync and rsync mirror random trees with random files of rules, by random command lines, and
// expects them to make the same of them. RULES in the environment says how many, RULES_SEED is the seed of the first,
// or "random".
func TestRulesInFilesAsRsync(t *testing.T) {
	needRsync(t)
	for _, seed := range campaign.Seeds("RULES", 15, 100) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			r := rulesRun{rand.New(rand.NewPCG(seed, 0))}
			if err := r.compare(t.TempDir()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A rulesRun makes up one run.
type rulesRun struct{ *rand.Rand }

var (
	ruleNames    = []string{"a", "b", "ab", "t", "a.c", ".x", "b.o", "c~", "core", "a b"}
	ruleFiles    = []string{".f", ".g", ".rsync-filter", ".cvsignore"}
	ruleElements = []string{"a", "b", "ab", "t", "*", "a*", "*.c", "?b", "**", "a.c", ".x", "[ab]", "*.o", "***"}
)

func (r rulesRun) one(of []string) string { return of[r.IntN(len(of))] }

func (r rulesRun) chance(percent int) bool { return r.IntN(100) < percent }

func (r rulesRun) pattern() string {
	p := r.one([]string{"", "", "/"}) + r.one(ruleElements)
	for r.chance(40) {
		p += "/" + r.one(ruleElements)
	}
	return p + r.one([]string{"", "", "", "", "/"})
}

// rule returns a rule for --filter, or for a file.
func (r rulesRun) rule() string {
	switch n := r.IntN(100); {
	case n < 5:
		return "!"
	case n < 9:
		return "-C"
	case n < 13:
		return ":C"
	case n < 25:
		return ":" + r.one([]string{"", "", "n", "e", "p", "ne"}) + " " + r.one(ruleFiles[:3])
	case n < 30:
		return ":-" + r.one([]string{"", "n", "w"}) + " .h"
	}
	return r.one([]string{"-", "-", "-", "+", "+", "P", "R", "H", "S"}) + r.one([]string{"", "", "", "p", "!"}) + " " + r.pattern()
}

func (r rulesRun) text(name string) (text string) {
	for range 1 + r.IntN(3) {
		if name == ".cvsignore" || name == ".h" {
			text += r.pattern() + "\n"
		} else {
			text += r.rule() + "\n"
		}
	}
	return text
}

// plant makes a directory on both sides, or on one: an empty path is none.
func (r rulesRun) plant(src, dst string, depth int) error {
	var errs []error
	write := func(path, text string) { errs = append(errs, os.WriteFile(path, []byte(text), 0o666)) }
	for _, side := range []string{src, dst} {
		if side != "" {
			errs = append(errs, os.Mkdir(side, 0o777))
		}
	}
	for _, name := range append(ruleFiles, ".h") {
		text, of := r.text(name), r.IntN(20)
		if src != "" && of < 3 {
			write(filepath.Join(src, name), text)
		}
		if dst != "" && (of == 0 || of > 17) {
			write(filepath.Join(dst, name), text)
		}
	}
	for _, name := range ruleNames {
		if r.chance(45) {
			continue
		}
		sides, of := [2]string{}, r.IntN(6)
		if src != "" && of != 0 {
			sides[0] = filepath.Join(src, name)
		}
		if dst != "" && of != 1 {
			sides[1] = filepath.Join(dst, name)
		}
		if depth < 3 && r.chance(40) {
			errs = append(errs, r.plant(sides[0], sides[1], depth+1))
			continue
		}
		for _, path := range sides {
			if path != "" {
				write(path, "x")
			}
		}
	}
	return errors.Join(errs...)
}

func (r rulesRun) args() (args []string) {
	for range 1 + r.IntN(4) {
		switch n := r.IntN(10); {
		case n < 2:
			args = append(args, "-F")
		case n < 3:
			args = append(args, "-C")
		case n < 5:
			args = append(args, r.one([]string{"--exclude=", "--include="})+r.pattern())
		default:
			args = append(args, "--filter="+r.rule())
		}
	}
	if r.chance(15) {
		args = append(args, "--delete-excluded")
	}
	return args
}

// compare mirrors one tree by both, to two copies of its destination, which have the same path in turn.
func (r rulesRun) compare(dir string) error {
	src, dst, theirs := filepath.Join(dir, "src"), filepath.Join(dir, "dst"), filepath.Join(dir, "theirs")
	if err := r.plant(src, dst, 0); err != nil {
		return err
	}
	args, env := r.args(), append(os.Environ(), "LC_ALL=C", "HOME="+dir, "CVSIGNORE=t")
	run := func(command ...string) (string, error) {
		cmd := exec.Command(command[0], append(append(command[1:], args...), src+"/", dst+"/")...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s %q: %w: %s", command[0], args, err, out)
		}
		return string(out), err
	}
	if err := os.CopyFS(filepath.Join(dir, "copy"), os.DirFS(dst)); err != nil {
		return err
	}
	if _, err := run("rsync", "-rc", "--delete"); err != nil {
		return err
	}
	if err := errors.Join(os.Rename(dst, theirs), os.Rename(filepath.Join(dir, "copy"), dst)); err != nil {
		return err
	}
	dry, err := run("psync", "sync", "-cn", "-i", "--delete", "--force-empty-source", "--no-times")
	if err != nil {
		return err
	}
	wet, err := run("psync", "sync", "-c", "-i", "--delete", "--force-empty-source", "--no-times")
	if err != nil {
		return err
	}
	if a, b := strings.Count(dry, "\n"), strings.Count(wet, "\n"); a != b {
		return fmt.Errorf("%q: a dry run lists %d changes, the run %d", args, a, b)
	}
	want, err := listFiles(theirs)
	got, err2 := listFiles(dst)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%q: psync makes %s, rsync %s", args, got, want)
	}
	return nil
}

// listFiles returns the paths below a directory, with the contents of files.
func listFiles(dir string) (string, error) {
	var list strings.Builder
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			fmt.Fprintf(&list, "%s/ ", path)
			return err
		}
		text, err := fs.ReadFile(tree, path)
		fmt.Fprintf(&list, "%s=%q ", path, text)
		return err
	})
	return list.String(), err
}

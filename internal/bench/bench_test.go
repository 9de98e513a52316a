package bench

import (
	"bytes"
	"encoding/csv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// look returns the path of a program, or skips the test.
func look(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is missing", program)
	}
	return path
}

// smallTree returns a directory with a file at the top, and one in "sub" with a
// link beside it.
func smallTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	sub := filepath.Join(root, "sub")
	for _, err := range []error{
		os.WriteFile(filepath.Join(root, "top"), []byte("top"), 0o666),
		os.Mkdir(sub, 0o777),
		os.WriteFile(filepath.Join(sub, "file"), []byte("file"), 0o666),
		os.Symlink("file", filepath.Join(sub, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// checkEmpty checks that nothing is left in dir.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the work directory: %v, %v", left, err)
	}
}

func TestMainComparesPeers(t *testing.T) {
	cp, mkdir := look(t, "cp"), look(t, "mkdir")
	t.Setenv("PATH", t.TempDir()) // no known peers
	dir, raw := t.TempDir(), filepath.Join(t.TempDir(), "raw.csv")

	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), []string{
		"-rounds", "2", "-workloads", "", "-tree", smallTree(t), "-dir", dir, "-csv", raw,
		"-peer", "cp -r=" + cp + " -R {src} {dst}",
		"-peer", "again=" + cp + " -R {src} {dir}",
		"-peer", "failing=" + cp + " {src} {dst}",
		"-peer", "partial=" + cp + " -R {src}/sub {dst}",
		"-peer", "follows=" + cp + " -RL {src} {dst}",
		"-peer", "idle=" + mkdir + " -p {src} {dir}",
	}, &stdout, &stderr)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	checkEmpty(t, dir)
	checkRows(t, stdout.String(), map[string]string{
		"cp -r":   " | 1.00 | ",
		"again":   " | ? | ",
		"failing": "failed: round 0: exit status 1: ",
		"partial": "failed: copied 1 files, 4 bytes of 2 files, 7 bytes",
		"follows": "failed: copied 3 files",
		"idle":    "failed: copied 0 files",
	})
	checkRuns(t, raw, map[string]int{"cp -r": 2, "again": 2, "failing": 1, "partial": 1, "follows": 1, "idle": 1})
}

// checkRows checks that the row of each tool contains the wanted text, in which # stands for a number.
func checkRows(t *testing.T, output string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		_, row, _ := strings.Cut(output, "\n| "+name)
		row, _, _ = strings.Cut(row, "\n")
		pattern := strings.ReplaceAll(regexp.QuoteMeta(text), "#", `\d+`)
		if !regexp.MustCompile(pattern).MatchString(row) {
			t.Errorf("row of %s: got %q, want %q in it", name, row, text)
		}
	}
	if t.Failed() {
		t.Log(output)
	}
}

// checkRuns checks how many lines the file of raw runs has for each tool.
func checkRuns(t *testing.T, path string, want map[string]int) {
	t.Helper()
	got := make(map[string]int)
	for _, line := range rawRuns(t, path) {
		got[line[3]]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("raw runs: got %v, want %v", got, want)
	}
}

// rawRuns returns the lines of the file of raw runs without the first.
func rawRuns(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("raw runs: %q, %v", lines, err)
	}
	return lines[1:]
}

func TestMainRefuses(t *testing.T) {
	cp, tree := look(t, "cp"), smallTree(t)
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"help", []string{"-h"}, 0, "usage: psync-bench"},
		{"wrong flags", []string{"-rounds", "0"}, 2, "must be positive"},
		{"peer without destination", []string{"-peer", "cp=cp {src}"}, 2, "needs {src}"},
		{"missing psync", []string{"-psync", filepath.Join(tree, "psync")}, 1, "psync: "},
		{"unknown tool", []string{"-only", "abacus"}, 1, `no tool named "abacus"`},
		{"missing tree", []string{"-tree", filepath.Join(tree, "none")}, 1, "no such file"},
		{"missing mark", []string{"-workloads", "", "-update", filepath.Join(tree, "top"), "-mark", "m"}, 1, "has 0 lines"},
		{"plot in a missing directory", []string{"-workloads", "", "-svg", filepath.Join(tree, "none", "plot")}, 1, "no such file"},
		{
			"work directory in the tree",
			[]string{"-peer", "cp=" + cp + " -R {src} {dst}", "-tree", tree, "-dir", filepath.Join(tree, "sub")},
			1, "lies in the tree",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := Main(t.Context(), tt.args, &stdout, &stderr)
			if code != tt.code || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q; want %d, %q", code, &stdout, &stderr, tt.code, tt.want)
			}
		})
	}
}

package check_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"psync/internal/manifest"
	"psync/internal/manifest/check"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/walk"
)

// list returns the list of files with these paths and contents.
func list(files ...string) map[string]manifest.Sum {
	m := make(map[string]manifest.Sum)
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = sha256.Sum256([]byte(files[i+1]))
	}
	return m
}

// findings returns what is found of a tree, as sorted lines; operations on it fail as faults says.
func findings(t *testing.T, tree, faults string, want map[string]manifest.Sum) []string {
	t.Helper()
	root := memfs.New().Root()
	t.Cleanup(func() { root.Close() })
	fstest.Fill(t, root, tree)
	j := check.Job{Dir: root, List: want, Workers: walk.NewSize(4, 4)}
	if faults != "" {
		j.Dir = faultfs.Inject(root, faults)
	}
	var lines []string
	j.Found = func(f check.Finding) {
		kind := []string{"differs", "missing", "additional", "failed"}[f.Kind]
		lines = append(lines, kind+" "+f.Path)
	}
	if err := check.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return lines
}

const tree = "a 644 text\nd/b 644 other\nd/e/c 644 \"x\"*300000\nd/link -> b\nempty/\n"

func TestFindings(t *testing.T) {
	c := strings.Repeat("x", 300000)
	for _, tt := range []struct {
		name, faults string
		list         map[string]manifest.Sum
		want         []string
	}{
		{"equal", "", list("a", "text", "d/b", "other", "d/e/c", c), nil},
		{"one byte", "", list("a", "texT", "d/b", "other", "d/e/c", c[1:]+"y"), []string{"differs a", "differs d/e/c"}},
		{"missing", "", list("a", "text", "d/b", "other", "d/e/c", c, "d/x", "", "z", ""), []string{"missing d/x", "missing z"}},
		{"additional", "", list("d/e/c", c), []string{"additional a", "additional d/b"}},
		{"no file", "", list("a", "text", "d/b", "other", "d/e/c", c, "d/link", "other", "empty", ""), []string{"differs d/link", "missing empty"}},
		{"unreadable file", `(op read, path "b", err EIO)`, list("a", "text", "d/b", "other", "d/e/c", c), []string{"failed d/b"}},
	} {
		if got := findings(t, tree, tt.faults, tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNothingIsSaidOfWhatCouldNotBeListed has a directory fail: its files are not missing.
func TestNothingIsSaidOfWhatCouldNotBeListed(t *testing.T) {
	root := memfs.New().Root()
	defer root.Close()
	fstest.Fill(t, root, tree)
	broken := errors.New("broken")
	dir := faultfs.New(root, func(op, name string) error {
		if op == "opendir" && name == "d" {
			return broken
		}
		return nil
	})
	var lines []string
	j := check.Job{Dir: dir, List: list("a", "text", "d/b", "other", "e", ""), Workers: walk.NewSize(2, 2)}
	j.Found = func(f check.Finding) {
		lines = append(lines, fmt.Sprint(f.Kind, " ", f.Path, " ", errors.Is(f.Err, broken)))
	}
	if err := check.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	if want := []string{"1 e false", "3 d true"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

func TestInterrupt(t *testing.T) {
	root := memfs.New().Root()
	defer root.Close()
	fstest.Fill(t, root, tree)
	why := errors.New("interrupted")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(why)
	err := check.Run(ctx, check.Job{Dir: root, List: list("x", ""), Workers: walk.NewSize(2, 2), Found: func(f check.Finding) { t.Errorf("found %+v", f) }})
	if err != why {
		t.Errorf("Run = %v, want %v", err, why)
	}
}

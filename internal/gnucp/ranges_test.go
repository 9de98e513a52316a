package gnucp

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/content"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
)

// TestLargeFilesAmongOthers copies trees with large files that several workers may share, and a single large
// file.
func TestLargeFilesAmongOthers(t *testing.T) {
	dir := tree(t, "src/", "src/a/", "src/a/f: x", "src/b/", "src/b/g: y", "src/b/h = src/b/g")
	large := make([]byte, 20<<20)
	for i := range large {
		large[i] = byte(rand.Uint32())
	}
	for _, name := range []string{"src/large", "src/a/large", "src/b/large"} {
		if err := os.WriteFile(filepath.Join(dir, name), large, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ what, src, dst, copied string }{
		{"a tree", "src", "new", "new/b/large"},
		{"a tree that exists", "src", "new", "new/src/a/large"},
		{"a file", "src/large", "one", "one"},
	} {
		var said strings.Builder
		r := newRun(Job{
			Options:  policy.Options{Recursive: true, Verbose: true, Reflink: content.ReflinkNever, Threads: 4},
			Operands: []string{filepath.Join(dir, c.src), filepath.Join(dir, c.dst)}, Name: "cp",
			Host: localfs.Host{}, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said, Stats: new(report.Stats),
		})
		r.shared.Cutoff, r.shared.CutoffNear = 2, 2
		if ok, err := r.copy(t.Context()); !ok || err != nil {
			t.Errorf("%s: %v, %v: %s", c.what, ok, err, said.String())
		}
		if got, err := os.ReadFile(filepath.Join(dir, c.copied)); err != nil || !bytes.Equal(got, large) {
			t.Errorf("%s: %s differs: %v", c.what, c.copied, err)
		}
	}
}

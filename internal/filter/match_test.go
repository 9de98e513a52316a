package filter_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"psync/internal/campaign"
	"psync/internal/filter"
)

// TestAgainstNaive compares the package with [naive], with patterns that are
// likelier to match than those that a fuzzer finds.
func TestAgainstNaive(t *testing.T) {
	seed := campaign.Seed("FILTER")
	r := rand.New(rand.NewPCG(seed, 0))
	found := 0
	n := campaign.Size("FILTER", 200, 200) * 100
	for range n {
		pattern := randomPattern(r)
		var b filter.Builder
		if err := b.Filter("- " + pattern); err != nil {
			t.Fatalf("FILTER_SEED=%d: %q: %v", seed, pattern, err)
		}
		rules := b.Rules(false)
		for range 10 {
			path := pick(r, elementNames)
			for range r.IntN(4) {
				path += "/" + pick(r, elementNames)
			}
			isDir := r.IntN(2) == 0
			got, want := rules.Hidden(path, isDir), naive(pattern, path, isDir)
			if got != want {
				t.Fatalf("FILTER_SEED=%d: pattern %q, path %q, directory %t: got %t, want %t", seed, pattern, path, isDir, got, want)
			}
			if got {
				found++
			}
		}
	}
	t.Logf("%d of %d pairs match", found, 10*n)
}

// FuzzMatch compares the package with [naive].
func FuzzMatch(f *testing.F) {
	for _, pattern := range []string{"a", "a/b", "/a", "a/", "**/a", "a/**", "a/***", "a**b", "*/?[!a-c]", "[]é-]*", `\**`, "***a***", "*a*b*c*"} {
		for _, path := range []string{"a", "a/b", "b/a/c", "é", "aXbXc/abc"} {
			f.Add(pattern, path, true)
			f.Add(pattern, path, false)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, path string, isDir bool) {
		path = cleaned(path)
		if path == "" || pattern == "" || len(pattern) > 30 || len(path) > 60 || strings.Contains(pattern, "\x00") {
			t.Skip("not an entry, not a pattern, or too long for the slow way")
		}
		var b filter.Builder
		if err := b.Filter("- " + pattern); err != nil {
			t.Fatal(err)
		}
		if got, want := b.Rules(false).Hidden(path, isDir), naive(pattern, path, isDir); got != want {
			t.Errorf("pattern %q, path %q, directory %t: got %t, want %t", pattern, path, isDir, got, want)
		}
	})
}

// cleaned turns any text into a relative path.
func cleaned(text string) string {
	var names []string
	for name := range strings.SplitSeq(strings.ReplaceAll(text, "\x00", ""), "/") {
		if name != "" && name != "." && name != ".." {
			names = append(names, name)
		}
	}
	return strings.Join(names, "/")
}

package filter_test

import (
	"fmt"
	"testing"

	"psync/internal/filter"
)

var usual = []string{
	"*.o", ".git/", "/build", "node_modules/", "*~", "a/b/c", "**/._*", ".fcpcache/**",
	"core.[0-9]*", "/var/*/tmp", "Thumbs.db", "cache/***", "t?mp", "*.py[co]", "/home/**/trash",
}

func BenchmarkHidden(b *testing.B) {
	const path = "home/user/projects/psync/internal/filter/some_file_name.go"
	for _, n := range []int{0, 5, 50} {
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			benchmark(b, path, func(k int) string { return usual[k%len(usual)] }, n)
		})
	}
	b.Run("rules=5/name=other", func(b *testing.B) {
		benchmark(b, "home/user/Été/à faire.txt", func(k int) string { return usual[k] }, 5)
	})
	b.Run("match", func(b *testing.B) {
		benchmark(b, path, func(int) string { return "*.go" }, 1)
	})
	for _, pattern := range usual {
		b.Run("50 times "+pattern, func(b *testing.B) {
			benchmark(b, path, func(int) string { return pattern }, 50)
		})
	}
}

func benchmark(b *testing.B, path string, pattern func(int) string, n int) {
	builder := filter.Builder{Option: "exclude"}
	for k := range n {
		if err := builder.Exclude(pattern(k)); err != nil {
			b.Fatal(err)
		}
	}
	rules := builder.Rules(false)
	b.ReportAllocs()
	for b.Loop() {
		rules.Hidden(path, false)
	}
}

func TestHiddenDoesNotAllocate(t *testing.T) {
	var b filter.Builder
	for _, pattern := range usual {
		if err := b.Exclude(pattern); err != nil {
			t.Fatal(err)
		}
	}
	r := b.Rules(false)
	if n := testing.AllocsPerRun(100, func() { r.Hidden("a/directory/and/a_file.c", false) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

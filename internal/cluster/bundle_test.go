package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"psync/internal/queue"
)

// TestBundlesKeepTheLimits wants all directories in bundles that may be put, in their order.
func TestBundlesKeepTheLimits(t *testing.T) {
	long := strings.Repeat("abc/", 10_000) + "d"
	for _, tt := range []struct {
		name    string
		n       int
		path    string
		bundles int // at most
	}{
		{"none", 0, "a", 0},
		{"one", 1, "a", 1},
		{"as many as there may be", queue.MaxDirs, "a", 1},
		{"more", 3*queue.MaxDirs + 1, "a", 4},
		{"long paths", 40, long, 4},
	} {
		dirs := slices.Repeat([]queue.Dir{{Path: tt.path}}, tt.n)
		for i := range dirs {
			dirs[i].Root = i
		}
		for _, bundles := range [][]queue.Bundle{
			bundlesOf(queue.Claim{}, queue.Round{N: 1}, dirs), partsOf(queue.Claim{Bundle: queue.Bundle{Round: queue.Round{N: 1}}}, dirs),
		} {
			var got []queue.Dir
			for _, b := range bundles {
				if err := b.Check(); err != nil {
					t.Errorf("%s: %v", tt.name, err)
				}
				got = append(got, b.Dirs...)
			}
			if !slices.Equal(got, dirs) || len(bundles) > 2*tt.bundles {
				t.Errorf("%s: %d of %d directories in %d bundles", tt.name, len(got), len(dirs), len(bundles))
			}
		}
	}
}

func TestAnswersAreNotRepeated(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{queue.ErrTaken, true},
		{&queue.DifferenceError{Name: "umask"}, true},
		{errors.New("no connection"), false},
	} {
		if got := isAnswer(tt.err); got != tt.want {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

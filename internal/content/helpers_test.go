package content_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

// helpers is the number of Copiers that help another Copier.
type helpers int

// withHelpers runs a test without helpers and with up to four helpers. The number of helpers must make no
// difference.
func withHelpers(t *testing.T, test func(t *testing.T, helpers helpers)) {
	for _, n := range []helpers{0, 1, 4} {
		t.Run(fmt.Sprintf("%d helpers", n), func(t *testing.T) { test(t, n) })
	}
}

// rangeSize is small enough for files of some 100,000 bytes, and for one helper large
// enough to copy within the kernel.
func (n helpers) rangeSize() int64 { return max(128<<10/max(1, int64(n)), 32<<10) &^ (block - 1) }

// copier returns c with helpers for every file of more than one range. Their Progress is that of c.
func (n helpers) copier(t testing.TB, c content.Copier) *content.Copier {
	if n == 0 {
		return &c
	}
	var mu sync.Mutex // guards what Progress changes
	progress := c.Progress
	c.Progress = func(n int64) {
		mu.Lock()
		defer mu.Unlock()
		progress(n)
	}
	c.Cutoff = 1
	c.SetRangeSize(n.rangeSize())
	helper := c
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	c.Share = func(r *content.Ranges) func() {
		started := make(chan struct{})
		for range n {
			wg.Go(func() {
				h := helper
				started <- struct{}{}
				h.Help(context.Background(), r)
			})
		}
		for range n {
			<-started
		}
		return func() {}
	}
	return &c
}

// A bareFile offers no optional abilities. Fakes embed it.
type bareFile struct {
	basicFile
	vfs.UnsupportedFile
}

// A basicFile has the methods of a nil File, embedded so deep that other methods take precedence.
type basicFile struct{ nilFile }

type nilFile struct{ vfs.File }

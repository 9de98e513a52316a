package content_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

const step = 64 << 10 // of the ranges in these tests

// A watched source calls a function with the number of the range before each read.
type watched struct {
	vfs.File
	before func(i int64) error
}

func (w watched) ReadAt(p []byte, off int64) (int, error) {
	if err := w.before(off / step); err != nil {
		return 0, err
	}
	return w.File.ReadAt(p, off)
}

// A pair is a Copier with one helper, which starts when the owner reads, in a synctest bubble.
type pair struct {
	owner        content.Copier
	owned        int64
	helperCtx    context.Context
	begun        chan struct{}
	helped       atomic.Int64
	ranges       *content.Ranges
	offers, ends int
	wg           sync.WaitGroup
}

func newPair(t *testing.T) *pair {
	p := &pair{helperCtx: t.Context(), begun: make(chan struct{})}
	p.owner = content.Copier{Cutoff: 1, Progress: func(n int64) { p.owned += n }}
	p.owner.SetRangeSize(step)
	p.owner.Share = func(r *content.Ranges) func() {
		p.ranges = r
		p.offers++
		p.wg.Go(func() {
			<-p.begun
			h := content.Copier{Progress: func(n int64) { p.helped.Add(n) }}
			h.Help(p.helperCtx, r)
		})
		return func() { p.ends++ }
	}
	return p
}

// source returns a file of noise that calls before as a watched source does.
func (p *pair) source(t *testing.T, d vfs.Dir, size int, before func(i int64) error) watched {
	var once sync.Once
	return watched{write(t, d, "src", random(size)), func(i int64) error {
		once.Do(func() { close(p.begun) })
		return before(i)
	}}
}

// TestHelperTakesRangesButTheLast blocks the owner in the first range.
func TestHelperTakesRangesButTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 5*step + 1000
		root := memfs.New().Root()
		want := random(size)
		release := make(chan struct{})
		p := newPair(t)
		src := p.source(t, root, size, func(i int64) error {
			if i == 0 {
				<-release
			}
			return nil
		})
		dst := create(t, root, "dst")
		var err error
		p.wg.Go(func() { err = p.owner.Copy(t.Context(), dst, src, vfs.Attr{Size: size, Blocks: 1 << 20}, between()) })
		synctest.Wait()
		// The range that the owner is copying and the end of the file are left.
		if got := p.helped.Load(); got != 4*step {
			t.Errorf("the helper copied %d bytes, want %d", got, 4*step)
		}
		if got := stat(t, dst).Size; got >= size {
			t.Errorf("the file has %d bytes while others are missing", got)
		}
		close(release)
		p.wg.Wait()
		if got := read(t, root, "dst"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Copy = %v; the copy has %d bytes", err, len(got))
		}
		if p.owned+p.helped.Load() != size || p.ranges.Helped() != p.helped.Load() {
			t.Errorf("the owner reported %d bytes, the helper %d; Helped() = %d", p.owned, p.helped.Load(), p.ranges.Helped())
		}
		if p.offers != 1 || p.ends != 1 {
			t.Errorf("%d offers and %d ends of them", p.offers, p.ends)
		}
	})
}

// TestFirstFailureOfTheFileCounts makes the helper's range fail before the owner's range, which is the first of
// the file.
func TestFirstFailureOfTheFileCounts(t *testing.T) {
	mine, other := errors.New("mine"), errors.New("other")
	for _, tt := range []struct {
		name        string
		first, last error // of the first range, and of the one behind it
		want        error
	}{
		{"both fail", mine, other, mine},
		{"the owner fails", mine, nil, mine},
		{"the helper fails", nil, other, other},
	} {
		for _, equal := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				const size = 5 * step
				root := memfs.New().Root()
				p := newPair(t)
				release := make(chan struct{})
				var reads atomic.Int64
				src := p.source(t, root, size, func(i int64) error {
					reads.Add(1)
					if i == 0 {
						<-release
						return tt.first
					}
					return tt.last
				})
				var err error
				p.wg.Go(func() {
					if equal {
						p.owner.SetRangeSize(5 * step / 2) // ranges larger than a piece are not shared
						_, err = p.owner.Equal(t.Context(), src, src.File, size)
					} else {
						err = p.owner.Copy(t.Context(), create(t, root, "dst"), src, vfs.Attr{Size: size, Blocks: 1 << 20}, between())
					}
				})
				synctest.Wait()
				if equal && p.offers == 0 {
					t.Fatal("Equal did not share")
				}
				close(release)
				p.wg.Wait()
				if !errors.Is(err, tt.want) {
					t.Errorf("%s, equal %v: %v, want %v", tt.name, equal, err, tt.want)
				}
				if tt.last != nil && reads.Load() > 3 {
					t.Errorf("%s, equal %v: %d reads after a failure", tt.name, equal, reads.Load())
				}
			})
		}
	}
}

// TestFailureEndsWhatComesAfterIt fails the first range while the helper is in the
// second one.
func TestFailureEndsWhatComesAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 8 << 20
		broken := errors.New("broken")
		root := memfs.New().Root()
		p := newPair(t)
		p.owner.SetRangeSize(2 << 20)
		second := make(chan struct{})
		release := make(chan struct{})
		var reads int
		src := p.source(t, root, size, func(i int64) error {
			if i == 0 {
				<-second
				return broken
			}
			if reads++; reads == 1 {
				close(second)
				<-release
			}
			return nil
		})
		var err error
		p.wg.Go(func() {
			err = p.owner.Copy(t.Context(), create(t, root, "dst"), src, vfs.Attr{Size: size, Blocks: 1 << 20}, between())
		})
		synctest.Wait()
		close(release)
		p.wg.Wait()
		if !errors.Is(err, broken) || reads != 1 {
			t.Errorf("Copy = %v after %d reads by the helper, want %v after 1", err, reads, broken)
		}
	})
}

// TestLateHelperTouchesNothing calls Help after the files have been closed.
func TestLateHelperTouchesNothing(t *testing.T) {
	for _, fails := range []bool{false, true} {
		root := memfs.New().Root()
		touched := 0
		faulty := faultfs.New(root, func(op, _ string) error {
			touched++
			if fails && op == "read" {
				return errors.New("broken")
			}
			return nil
		})
		write(t, root, "src", random(5*step))
		src, err := faulty.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		var offered *content.Ranges
		c := content.Copier{Cutoff: 1, Progress: func(int64) {}}
		c.SetRangeSize(step)
		c.Share = func(r *content.Ranges) func() { offered = r; return func() {} }
		if err := c.Copy(t.Context(), create(t, faulty, "dst"), src, stat(t, src), between()); (err != nil) != fails {
			t.Fatal(err)
		}
		before := touched
		helper := content.Copier{Progress: func(int64) {}}
		helper.Help(t.Context(), offered)
		if touched != before {
			t.Errorf("%d operations by a late helper", touched-before)
		}
		if n := offered.Helped(); n != 0 {
			t.Errorf("Helped() = %d with no help", n)
		}
	}
}

func TestCutoff(t *testing.T) {
	const size = 5 * step
	for _, tt := range []struct {
		name   string
		cutoff int64
		step   int64
		want   bool
	}{
		{"none", 0, step, false},
		{"smaller", size - 1, step, true},
		{"as large", size, step, true},
		{"larger", size + 1, step, false},
		{"one range", 1, size, false},
		{"ranges of the usual size", 1, 0, false},
	} {
		offers := 0
		c := content.Copier{Cutoff: tt.cutoff, Progress: func(int64) {}}
		c.Share = func(*content.Ranges) func() { offers++; return func() {} }
		c.SetRangeSize(tt.step)
		root := memfs.New().Root()
		src := write(t, root, "src", random(size))
		if err := c.Copy(t.Context(), create(t, root, "dst"), src, stat(t, src), between()); err != nil {
			t.Fatal(err)
		}
		cloner := &trial{File: create(t, root, "clone")}
		if err := c.Copy(t.Context(), cloner, src, stat(t, src), between()); err != nil {
			t.Fatal(err)
		}
		if equal, err := c.Equal(t.Context(), src, src, size); !equal || err != nil {
			t.Fatal(equal, err)
		}
		want := 0
		if tt.want {
			want = 2 // a clone is not shared
		}
		if offers != want {
			t.Errorf("%s: %d of 3 files were shared, want %d", tt.name, offers, want)
		}
	}
}

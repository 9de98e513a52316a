package content_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// TestHelperThatLeavesCostsNothing ends the context of a helper in the middle of a range.
func TestHelperThatLeavesCostsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 8 << 20
		root := memfs.New().Root()
		want := random(size)
		p := newPair(t)
		p.owner.SetRangeSize(2 << 20)
		ctx, leave := context.WithCancel(t.Context())
		p.helperCtx = ctx
		helping := make(chan struct{})
		gone := make(chan struct{})
		reads := 0
		src := p.source(t, root, size, func(i int64) error {
			switch {
			case i == 0: // the owner
				<-gone
			case i >= 2<<20/step && ctx.Err() == nil:
				if reads++; reads == 2 {
					leave()
					close(helping)
				}
			}
			return nil
		})
		var err error
		p.wg.Go(func() {
			err = p.owner.Copy(t.Context(), create(t, root, "dst"), src, vfs.Attr{Size: size, Blocks: 1 << 20}, between())
		})
		<-helping
		synctest.Wait()
		close(gone)
		p.wg.Wait()
		if got := read(t, root, "dst"); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Copy = %v; the copy has %d bytes", err, len(got))
		}
		if n := p.helped.Load(); n != 512<<10 || p.owned+n != size {
			t.Errorf("the helper reported %d bytes, want two reads of 256 KiB; all of %d, want %d", n, p.owned+n, size)
		}
	})
}

// TestInterruptedOwnerStopsHelpers ends the context of an owner that waits for a helper.
func TestInterruptedOwnerStopsHelpers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 4 << 20
		why := errors.New("enough")
		root := memfs.New().Root()
		p := newPair(t)
		p.owner.SetRangeSize(2 << 20)
		ctx, cancel := context.WithCancelCause(t.Context())
		release := make(chan struct{})
		taken := make(chan struct{})
		reads := 0
		src := p.source(t, root, size, func(i int64) error {
			switch {
			case i == 0: // the owner takes no further range
				<-taken
			case i >= 2<<20/step:
				if reads++; reads == 1 {
					close(taken)
					<-release
				}
			}
			return nil
		})
		var err error
		returned := false
		p.wg.Go(func() {
			err = p.owner.Copy(ctx, create(t, root, "dst"), src, vfs.Attr{Size: size, Blocks: 1 << 20}, between())
			returned = true
		})
		synctest.Wait()
		cancel(why)
		synctest.Wait()
		if returned {
			t.Error("Copy returned while a helper had a range")
		}
		close(release)
		p.wg.Wait()
		if err != why || reads != 1 {
			t.Errorf("Copy = %v after %d reads by the helper, want %v after 1", err, reads, why)
		}
	})
}

// TestInterruptedOwnerWithoutHelp ends the context of an owner without helpers, in the second range.
func TestInterruptedOwnerWithoutHelp(t *testing.T) {
	why, broken := errors.New("enough"), errors.New("broken")
	for _, tt := range []struct{ read, want error }{{nil, why}, {broken, broken}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		root := memfs.New().Root()
		src := watched{write(t, root, "src", random(5*step)), func(i int64) error {
			if i == 0 {
				return nil
			}
			cancel(why)
			return tt.read
		}}
		c := content.Copier{Cutoff: 1, Progress: func(int64) {}}
		c.SetRangeSize(step)
		c.Share = func(*content.Ranges) func() { return func() {} }
		if err := c.Copy(ctx, create(t, root, "dst"), src, vfs.Attr{Size: 5 * step, Blocks: 1 << 20}, between()); !errors.Is(err, tt.want) {
			t.Errorf("Copy = %v, want %v", err, tt.want)
		}
		if n := len(read(t, root, "dst")); n > 2*step {
			t.Errorf("%d bytes were copied, want %d at most", n, 2*step)
		}
	}
}

package content

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"psync/internal/buffer"
	"psync/internal/vfs"
)

// A patchedPart is a part of dst that a Copier completes. Many ranges of it are under way at the same time, because
// where they differ is known of many at once, and each may take a round trip.
type patchedPart struct {
	*patch
	c          *Copier
	done       int64         // what lies before is complete or under way
	slots      chan struct{} // one for each range under way
	ops        sync.WaitGroup
	unreported atomic.Int64 // bytes that are in place, and not reported yet

	mu   sync.Mutex // guards what follows
	err  error      // the first one
	left []part     // that cannot be copied from base
}

// useless reports whether nothing of base can be used from here on.
func (p *patchedPart) useless() bool { return p.done >= p.kept && p.refused.Load() }

// compare completes dst up to end, as far as base is of use.
func (p *patchedPart) compare(ctx context.Context, end int64) (err error) {
	buf := p.c.buffer(piece)
	defer buf.Free()
	cmpErr := compareSums(ctx, p.src, p.base, p.done, end, p.sums, buf.Bytes, func(off, end int64) bool {
		if err = p.take(ctx, off); err == nil && !p.useless() {
			err = p.send(ctx, end)
		}
		return err == nil && !p.useless()
	})
	if err != nil || p.useless() {
		return err
	}
	if errors.Is(cmpErr, ErrChanged) && !errors.As(cmpErr, new(*ReadError)) {
		return nil // base is shorter now, which will be noticed
	}
	return cmpErr
}

// take takes over from base up to end, where both files are the same.
func (p *patchedPart) take(ctx context.Context, end int64) error {
	if kept := min(end, p.kept); p.done < kept {
		p.c.arrived(kept - p.done)
		p.done = kept
	}
	for p.done < end && !p.useless() {
		off, n := p.done, min(chunk, end-p.done)
		if err := p.start(ctx, func() error {
			p.copyRange(off, n)
			return nil
		}); err != nil {
			return err
		}
		p.done += n
	}
	return nil
}

// send copies from src up to end.
func (p *patchedPart) send(ctx context.Context, end int64) error {
	for p.done < end {
		off, n := p.done, p.c.paced(min(piece, end-p.done))
		if err := p.c.await(ctx, n); err != nil {
			return err
		}
		if err := p.start(ctx, func() error { return p.move(off, n) }); err != nil {
			return err
		}
		p.c.spend(n)
		p.done += n
	}
	return nil
}

// start has a goroutine deal with a range, unless one has failed.
func (p *patchedPart) start(ctx context.Context, op func() error) error {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.c.arrived(p.unreported.Swap(0))
	p.mu.Lock()
	err := cmp.Or(p.err, context.Cause(ctx))
	p.mu.Unlock()
	if err != nil {
		<-p.slots
		return err
	}
	p.ops.Go(func() {
		defer func() { <-p.slots }()
		if err := op(); err != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.err = cmp.Or(p.err, err)
		}
	})
	return nil
}

// wait waits for all ranges under way, and returns the first error.
func (p *patchedPart) wait() error {
	p.ops.Wait()
	p.c.arrived(p.unreported.Swap(0))
	return p.err
}

// copyRange copies n bytes from base. Bytes that it cannot copy are left to be sent, which gets the error again if it
// is real.
func (p *patchedPart) copyRange(off, n int64) {
	for end := off + n; off < end; {
		n, err := p.copyFrom(off, end-off)
		if err != nil || n == 0 {
			p.refused.Store(true)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.left = append(p.left, part{off, off, end})
			return
		}
		p.unreported.Add(n)
		off += n
	}
}

// copyFrom copies up to n bytes from base. Another host sees to it itself that one at a time does.
func (p *patchedPart) copyFrom(off, n int64) (int64, error) {
	if !p.dst.Caps().Has(vfs.CanSum) {
		p.copying.Lock()
		defer p.copying.Unlock()
	}
	return p.dst.CopyRange(p.base, off, n)
}

// move copies n bytes from src.
func (p *patchedPart) move(off, n int64) error {
	buf := buffer.New(int(n))
	defer buf.Free()
	if err := readFull(p.src, buf.Bytes[:n], off); err != nil {
		return &ReadError{err}
	}
	if _, err := p.dst.WriteAt(buf.Bytes[:n], off); err != nil {
		return err
	}
	p.unreported.Add(n)
	return nil
}

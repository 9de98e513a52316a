package content

import (
	"context"
	"errors"

	"psync/internal/vfs"
)

// A patch makes dst a copy of src out of base, an older version of it. Only the blocks of src that differ are moved
// between hosts.
type patch struct {
	c              *Copier
	dst, src, base vfs.File
	attr           vfs.Attr // of src
	route          *Route
	inPlace        bool  // base is dst
	done           int64 // dst is complete up to here
	refused        error // why ranges of base cannot be copied to dst
}

// CanPatch reports whether [Copier.Patch] is able to do better than [Copier.Copy]: one file is on another host,
// which can tell checksums, and they are not on the same volume, which can copy by itself.
func (c *Copier) CanPatch(src, base vfs.File, attr, old vfs.Attr) bool {
	return c.Reflink == ReflinkAuto && !c.Sparse && !c.Preallocate && attr.Dev != old.Dev && sums(src, base)
}

// Patch does what [Copier.Copy] does by copying to dst what base, an older version of src on the volume of dst, has
// in the same places. old describes base. If base changes meanwhile, everything is copied from src.
func (c *Copier) Patch(ctx context.Context, dst, src, base vfs.File, attr, old vfs.Attr, route *Route) error {
	if !dst.Caps().Has(vfs.CanCopyRange) {
		return c.Copy(ctx, dst, src, attr, route)
	}
	p := &patch{c: c, dst: dst, src: src, base: base, attr: attr, route: route}
	if err := p.run(ctx, old.Size); err != nil {
		return err
	}
	now, err := statChange(base)
	if err == nil && (now.Size != old.Size || !now.Mtime.Equal(old.Mtime) || now.Ctime != old.Ctime) {
		err = ErrChanged
	}
	if err != nil {
		// What was compared may not be what was copied.
		quiet := c.Quiet
		c.Quiet = true // it was counted already
		defer func() { c.Quiet = quiet }()
		if err := dst.Truncate(0); err != nil {
			return err
		}
		return c.Copy(ctx, dst, src, attr, route)
	}
	return c.syncIfDurable(dst)
}

// statChange returns what shows a change of f.
func statChange(f vfs.File) (vfs.Attr, error) {
	now, err := f.StatChange(true)
	if errors.Is(err, errors.ErrUnsupported) {
		return f.Stat()
	}
	return now, err
}

// PatchInPlace does what [Copier.Overwrite] does by writing only blocks of dst that differ from those of src. old
// describes dst.
func (c *Copier) PatchInPlace(ctx context.Context, dst, src vfs.File, attr, old vfs.Attr, route *Route) error {
	if old.ID() == attr.ID() || c.sparse(attr) {
		return c.Overwrite(ctx, dst, src, attr, route)
	}
	p := &patch{c: c, dst: dst, src: src, base: dst, attr: attr, route: route, inPlace: true}
	if err := p.run(ctx, old.Size); err != nil {
		return err
	}
	return c.syncIfDurable(dst)
}

// run makes dst complete, given the size of base.
func (p *patch) run(ctx context.Context, size int64) error {
	for p.done < p.attr.Size {
		start, end, err := p.nextData()
		if err != nil {
			return &ReadError{err}
		}
		p.c.arrived(start - p.done)
		p.done = start
		if same := min(end, size); start < same && p.refused == nil {
			err = p.compare(ctx, same)
		}
		if err == nil {
			err = p.send(ctx, end)
		}
		if err != nil {
			return err
		}
	}
	if err := unchanged(p.src, p.attr); err != nil {
		return err
	}
	return p.dst.Truncate(p.attr.Size)
}

// nextData returns the next range of src that is no hole. A file that is written in place has been found to have none.
func (p *patch) nextData() (start, end int64, err error) {
	if p.inPlace || !p.c.sparse(p.attr) {
		return p.done, p.attr.Size, nil
	}
	return dataOf(p.src, p.done, p.attr.Size)
}

// compare completes dst up to end, as far as base is of use.
func (p *patch) compare(ctx context.Context, end int64) (err error) {
	buf := make([]byte, 2*piece)
	cmpErr := compareSums(ctx, p.src, p.base, p.done, end, toCompare, buf, func(off, end int64) bool {
		if err = p.take(ctx, off); err == nil && p.refused == nil {
			err = p.send(ctx, end)
		}
		return err == nil && p.refused == nil
	})
	if err != nil || p.refused != nil {
		return err
	}
	if errors.Is(cmpErr, ErrChanged) && !errors.As(cmpErr, new(*ReadError)) {
		return nil // base is shorter now, which will be noticed
	}
	return cmpErr
}

// take copies from base up to end, where both files are the same.
func (p *patch) take(ctx context.Context, end int64) error {
	for p.done < end {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := end - p.done
		if !p.inPlace {
			var err error
			if n, err = p.dst.CopyRange(p.base, p.done, min(chunk, n)); err != nil || n == 0 {
				p.refused = errors.Join(errors.ErrUnsupported, err)
				return nil // the bytes are sent, and get the error again if it is real
			}
		}
		p.done += n
		p.c.arrived(n)
	}
	return nil
}

// send copies from src up to end.
func (p *patch) send(ctx context.Context, end int64) (err error) {
	p.done, err = p.c.copyThrough(ctx, p.dst, p.src, p.attr, p.done, end, p.route)
	if err == nil && p.done < end {
		err = &ReadError{ErrChanged}
	}
	return err
}

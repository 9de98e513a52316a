package content

import (
	"cmp"
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"

	"psync/internal/blocksum"
	"psync/internal/vfs"
)

const (
	// patchBlock is the number of bytes that are moved if one of them differs. A checksum is as long as one of rsync,
	// which for files of 1 to 4 GiB takes blocks of 32 to 64 KiB.
	patchBlock = 32 << 10
	// patchRequest is how many bytes' checksums are asked for at once: enough to be worth a request, and few enough
	// that a host hashes several such ranges at the same time.
	patchRequest = 8 << 20
	// patchRange is the number of bytes that a Copier takes at once, and whose checksums it asks for ahead.
	patchRange = 64 << 20
	// patchOps is how many ranges a Copier moves at the same time, each of which may take a round trip.
	patchOps = 32
)

// A patch makes dst a copy of src out of base, an older version of it. Only the blocks of src that differ are moved
// between hosts.
type patch struct {
	dst, src, base vfs.File
	attr           vfs.Attr // of src
	size           int64    // of base
	kept           int64    // dst has the bytes of base up to here
	sums           sumsOrder
	route          *Route
	refused        atomic.Bool // ranges of base cannot be copied to dst

	// copying is held while a range of base is copied on this host: a file system lets one at a time write into a
	// file, and has others spin. Four at once took 2 to 3.5 s of processor time for 1 GiB on ext4, one at a time 0.9.
	copying sync.Mutex
}

func newPatch(dst, src, base vfs.File, attr, old vfs.Attr, route *Route) *patch {
	key := make([]byte, blocksum.KeySize)
	_, _ = rand.Read(key) // never fails
	order := sumsOrder{block: patchBlock, key: key, first: patchRequest, most: patchRequest, ahead: patchRange / patchRequest}
	return &patch{dst: dst, src: src, base: base, attr: attr, size: old.Size, sums: order, route: route}
}

// CanPatch reports whether [Copier.Patch] is able to do better than [Copier.Copy]: one file is on another host,
// which can compute checksums, and they are not on the same volume, which can copy by itself.
func (c *Copier) CanPatch(src, base vfs.File, attr, old vfs.Attr) bool {
	return c.Reflink == ReflinkAuto && !c.Sparse && !c.Preallocate && attr.Dev != old.Dev && sums(src, base)
}

// Patch does what [Copier.Copy] does by taking over from base, an older version of src on the volume of dst, what is
// the same in the same places. old describes base. If base changes meanwhile, everything is copied from src.
func (c *Copier) Patch(ctx context.Context, dst, src, base vfs.File, attr, old vfs.Attr, route *Route) error {
	if dst.Caps()&(vfs.CanClone|vfs.CanCopyRange) == 0 {
		return c.Copy(ctx, dst, src, attr, route)
	}
	p := newPatch(dst, src, base, attr, old, route)
	err := p.cloneBase(c)
	if err == nil {
		err = p.run(ctx, c)
	}
	if err != nil {
		return err
	}
	now, err := base.Statx(vfs.StatxFresh)
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

// PatchInPlace does what [Copier.Overwrite] does by writing only blocks of dst that differ from those of src. old
// describes dst.
func (c *Copier) PatchInPlace(ctx context.Context, dst, src vfs.File, attr, old vfs.Attr, route *Route) error {
	if old.ID() == attr.ID() || c.sparse(attr) {
		return c.Overwrite(ctx, dst, src, attr, route)
	}
	p := newPatch(dst, src, dst, attr, old, route)
	p.kept = old.Size
	if err := p.run(ctx, c); err != nil {
		return err
	}
	return c.syncIfDurable(dst)
}

// cloneBase has dst share the blocks of base, where the volume can do that and src has no holes, which would have to
// be made. Like other copies that are not complete, dst stays shorter than src.
func (p *patch) cloneBase(c *Copier) error {
	if c.sparse(p.attr) || !p.dst.Caps().Has(vfs.CanClone) || p.dst.Clone(p.base) != nil {
		return nil
	}
	p.kept = min(p.size, lastPart(p.attr.Size))
	return p.dst.Truncate(p.kept)
}

// lastPart returns where the part of a file begins that is copied when all the rest is in place.
func lastPart(size int64) int64 { return (size - 1) / lastSize * lastSize }

// run makes dst complete.
func (p *patch) run(ctx context.Context, c *Copier) error {
	step, last := p.attr.Size, p.attr.Size
	if c.shares(p.attr.Size) {
		if step = patchRange; c.step > 0 {
			step = c.step
		}
		last = lastPart(p.attr.Size)
	}
	r := newRanges(p.attr.Size, last, step)
	r.seek = func(off int64) (start, end int64, err error) { return p.nextData(c, off) }
	r.deal = p.part
	end, err := c.share(ctx, r)
	switch {
	case err != nil:
		return err
	case end < p.attr.Size:
		return &ReadError{ErrChanged}
	}
	if err := unchanged(p.src, p.attr); err != nil {
		return err
	}
	return p.dst.Truncate(p.attr.Size)
}

// nextData returns the next range of src that is no hole. A file that is written in place has been found to have none.
func (p *patch) nextData(c *Copier, off int64) (start, end int64, err error) {
	if p.kept > 0 || !c.sparse(p.attr) {
		return off, p.attr.Size, nil
	}
	return sourceData(p.src, off, p.attr.Size)
}

// part completes a part of dst, and returns the offset that it reached.
func (p *patch) part(ctx context.Context, c *Copier, t part) (int64, error) {
	c.arrived(t.off - t.hole)
	d := patchedPart{patch: p, c: c, done: t.off, slots: make(chan struct{}, patchOps)}
	var err error
	if end := min(t.end, p.size); t.off < end && !d.useless() {
		err = d.compare(ctx, end)
	}
	if err == nil {
		err = d.send(ctx, t.end)
	}
	err = cmp.Or(err, d.wait())
	for _, r := range d.left {
		if err != nil {
			break
		}
		var off int64
		if off, err = c.copyThrough(ctx, p.dst, p.src, p.attr, r.off, r.end, p.route); err == nil && off < r.end {
			err = &ReadError{ErrChanged}
		}
	}
	if err != nil {
		return t.off, err
	}
	return t.end, nil
}

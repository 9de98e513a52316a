package place

import (
	"context"

	"psync/internal/vfs"
)

// copyTo copies the contents of from to the new file dst, using the file that is replaced where that pays.
func (p *Placer) copyTo(ctx context.Context, d *Dir, e Entry, dst vfs.File, from Source) error {
	base := p.openBase(d, e, from)
	if base.File == nil {
		return p.Copier.Copy(ctx, dst, from.File, from.Attr, d.Route)
	}
	defer vfs.CloseUnwritten(base)
	return p.Copier.Patch(ctx, dst, from.File, base.File, from.Attr, base.Attr, d.Route)
}

// openBase opens the file that is replaced if the new one may be made from it. Otherwise it returns none.
func (p *Placer) openBase(d *Dir, e Entry, from Source) (base Source) {
	if !e.Patch || !(d.Caps() | from.Caps()).Has(vfs.CanSum) {
		return base
	}
	f, err := d.OpenFile(e.Name, vfs.ReadOnly, 0)
	if err != nil {
		return base
	}
	attr, err := f.Stat()
	if err != nil || !attr.Mode.IsRegular() || !p.Copier.CanPatch(from.File, f, from.Attr, attr) {
		vfs.CloseUnwritten(f)
		return base
	}
	return Source{f, attr}
}

// overwrite copies the contents of from to dst, which had the attributes was.
func (p *Placer) overwrite(ctx context.Context, d *Dir, e Entry, dst vfs.File, was vfs.Attr, from Source) error {
	if e.Patch && p.Copier.CanPatch(from.File, dst, from.Attr, was) {
		return p.Copier.PatchInPlace(ctx, dst, from.File, from.Attr, was, d.Route)
	}
	return p.Copier.Overwrite(ctx, dst, from.File, from.Attr, d.Route)
}

package metadata

import "psync/internal/report"

// flags plans the change of flags. Users other than root lose root's flags.
func (pl *planner) flags() {
	if !pl.keep.Flags || (pl.src.Unknown|pl.dst.Unknown)&report.Flags != 0 {
		return
	}
	src, dst := pl.src.Flags, pl.dst.Flags
	root := pl.at.User.Privileged()
	var foreign uint32 // flags that the destination cannot have
	if pl.at.DOSFlags && pl.DOSFlags != 0 {
		foreign = (pl.OwnerFlags | pl.RootFlags) &^ pl.dosFlags()
		src &^= foreign
	}
	op := Op{Class: Flags, Flags: pl.NewFlags(src, dst, root), UserFlags: pl.NewFlags(src, dst, false), Locked: dst & pl.LockFlags}
	op.DOSFlags = op.Flags
	if pl.DOSFlags != 0 {
		op.DOSFlags = dst&^pl.DOSFlags | op.Flags&pl.DOSFlags
	}
	if op.Flags != dst {
		op.Attr, op.Diff = report.Flags, report.DiffFlags
	}
	if !root && (src^dst)&pl.RootFlags != 0 || pl.src.Flags&foreign != 0 {
		op.Lost = report.Flags
	}
	op.Never = op.Attr == 0
	if op.Attr|op.Lost != 0 {
		pl.ops = append(pl.ops, op)
	}
}

// dosFlags returns the flags that an entry of the type of src can have on a volume of DOS, where a
// directory is not read-only.
func (pl *planner) dosFlags() uint32 {
	if pl.src.Mode.IsDir() {
		return pl.DOSFlags &^ pl.LockFlags
	}
	return pl.DOSFlags
}

// NewFlags returns the flags that make an entry with the flags dst like an entry with the flags src, as far as
// the user may set them. The other flags stay.
func (p *Profile) NewFlags(src, dst uint32, privileged bool) uint32 {
	mask := p.OwnerFlags
	if privileged {
		mask |= p.RootFlags
	}
	return dst&^mask | src&mask
}

package policy

import (
	"psync/internal/vfs"
)

// A Verdict says what to do when source and destination may be the same file.
type Verdict uint8

// The verdicts.
const (
	Differ     Verdict = iota // go on: nothing is lost
	LeaveAsIs                 // nothing is left to do
	RefuseSame                // the contents would be lost
)

// Lookups look up a source and an existing destination when the result matters.
type Lookups interface {
	Source(follow bool) (vfs.Attr, error)
	Dest(follow bool) (vfs.Attr, error)
	SameName() bool // both are the same entry of the same directory
}

// A Pair is an entry and its existing destination.
type Pair struct {
	Src, Dst vfs.Attr // the attributes of the links' targets where links are followed
	Follow   bool     // follow symbolic links of the source
	Operand  bool     // the source is an operand
}

func same(a, b *vfs.Attr) bool { return a.ID() == b.ID() }

// SameFile decides what to do about p if source and destination may be the same file. The only copy of a file
// must not be truncated or removed.
func (o *Options) SameFile(p *Pair, l Lookups) Verdict {
	one := same(&p.Src, &p.Dst)
	if one && o.HardLink {
		return LeaveAsIs
	}
	src, dst := p.Src, p.Dst
	if p.Follow {
		if !one {
			return Differ
		}
		var err1, err2 error
		src, err1 = l.Source(false)
		dst, err2 = l.Dest(false)
		if err1 != nil || err2 != nil || IsLink(src.Mode) && IsLink(dst.Mode) && o.RemoveDestination {
			return Differ
		}
	} else if IsLink(src.Mode) && IsLink(dst.Mode) {
		return o.sameLinks(one, l)
	}
	if o.Backup != NoBackups {
		return sameBackup(&src, &dst, p.Follow, l)
	}
	if o.RemoveDestination && (IsLink(dst.Mode) || same(&src, &dst) && dst.Nlink > 1 && !l.SameName()) {
		return Differ
	}
	if !IsLink(src.Mode) && !IsLink(dst.Mode) && !same(&src, &dst) || o.SymbolicLink && IsLink(dst.Mode) {
		return Differ
	}
	if !p.Follow && !leadToSameFile(&src, &dst, l) {
		return Differ
	}
	switch {
	case o.HardLink && !p.Follow && IsLink(dst.Mode):
		return Differ
	case o.HardLink && (!p.Follow || !IsLink(src.Mode) && !IsLink(dst.Mode)):
		return LeaveAsIs
	}
	return RefuseSame
}

// sameLinks decides about two symbolic links that are copied as such.
func (o *Options) sameLinks(one bool, l Lookups) Verdict {
	switch {
	case l.SameName():
		return RefuseSame
	case one && o.Backup == NoBackups:
		return LeaveAsIs
	}
	return Differ
}

// sameBackup decides when the destination is renamed before anything else.
func sameBackup(src, dst *vfs.Attr, follow bool, l Lookups) Verdict {
	if same(src, dst) {
		if l.SameName() {
			return RefuseSame
		}
		return Differ
	}
	if follow && IsLink(src.Mode) && !IsLink(dst.Mode) {
		return RefuseSame // the source would lead nowhere
	}
	return Differ
}

// leadToSameFile reports whether both lead to the same file when links are followed. It returns true only if that
// can be determined.
func leadToSameFile(src, dst *vfs.Attr, l Lookups) bool {
	a, b := *src, *dst
	var err error
	if IsLink(a.Mode) {
		if a, err = l.Source(true); err != nil {
			return false
		}
	}
	if IsLink(b.Mode) {
		if b, err = l.Dest(true); err != nil {
			return false
		}
	}
	return same(&a, &b)
}

package attrs

import (
	"errors"
	"slices"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A side is one of the two trees.
type side bool

const (
	onSource side = true
	onDest   side = false
)

// observe adds to s the attributes of an entry that k preserves. n is nil if there are no more to read. An attribute
// that cannot be read on either side fails the entry and is left alone in the destination. An entry without
// attributes says nothing about others: a volume may be composed of several.
func (p *Policy) observe(v Volumes, at side, n vfs.Node, k metadata.Keep, s *metadata.State) (notes Notes) {
	if n == nil || !k.Extended() {
		return nil
	}
	if p.ignoreACLs(v) {
		k.ACLs = false
		s.Lacks |= report.ACLs
	}
	profile, vol := p.Source, v.Source
	if at == onDest {
		profile, vol = p.Dest, v.Dest
	}
	err := profile.Read(n, k, s, func(attr report.Attr, err error) { notes.addFailed(bool(at), attr, "read", err) })
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		notes.addFailed(bool(at), k.Beyond()&metadata.InXattrs, "read", err)
	}
	if at == onSource {
		profile.MapACLs(s.Xattrs, k.Accounts)
	}
	if vol != nil && vol.LacksACLs {
		s.Lacks |= report.ACLs
	}
	if vol != nil && vol.LacksXattrs() && len(s.Xattrs) == 0 {
		s.Lacks |= metadata.InXattrs
	}
	return notes
}

// observeEntry is observe for an entry of dir. The caller closes the Node if it is not nil.
func (p *Policy) observeEntry(v Volumes, at side, dir vfs.Dir, e vfs.Entry, s *metadata.State) (vfs.Node, Notes) {
	n, err := p.node(dir, e)
	if err != nil {
		s.Unknown |= p.Keep.Beyond()
		var notes Notes
		notes.addFailed(bool(at), p.Keep.Beyond(), "read", err)
		return nil, notes
	}
	return n, p.observe(v, at, n, p.Keep, s)
}

// A Desired holds the attributes that the copy of an entry of the source should have.
type Desired struct {
	Want metadata.State
	Node vfs.Node // the entry of the source, to read long attributes from; or nil

	ownsNode  bool
	keepsMode bool // Want.Mode is the whole mode of the file that is replaced
}

// Close closes the entry of the source if it was opened only for its attributes.
func (o *Desired) Close() {
	if o.ownsNode {
		closeNode(o.Node)
	}
}

// OwnNode makes Close close the entry of the source.
func (o *Desired) OwnNode() { o.ownsNode = true }

// Desired returns the attributes that the copy of an entry should have, given its wanted attributes, attr,
// and the entry itself, which may be nil. The result is valid until the next call of Desired or DesiredAt.
func (s *Setter) Desired(v Volumes, n vfs.Node, attr vfs.Attr) (*Desired, Notes) {
	o := &s.desired
	*o = Desired{Want: metadata.State{Attr: attr}, Node: n}
	return o, s.observe(v, onSource, n, s.Keep, &o.Want)
}

// DesiredAt is Desired for an entry of a directory of the source. The caller calls Close when
// it no longer needs the result.
func (s *Setter) DesiredAt(v Volumes, src vfs.Dir, e vfs.Entry, attr vfs.Attr) (_ *Desired, notes Notes) {
	o := &s.desired
	*o = Desired{Want: metadata.State{Attr: attr}, ownsNode: true}
	o.Node, notes = s.observeEntry(v, onSource, src, e, &o.Want)
	return o, notes
}

// KeepMode makes o keep the mode of a file that is replaced if the policy requires that.
func (s *Setter) KeepMode(o *Desired, replaced vfs.Attr) {
	o.keepsMode = plan.KeepMode(s.Keep, &o.Want.Attr, replaced)
}

// Unasked says which attributes an entry has that the user did not ask to preserve.
type Unasked struct{ ACLs, Xattrs, Forks bool }

// Unasked returns which attributes of a source file are not preserved; want is what Desired read from it. It looks
// only where that costs no round trip, or where forks may be lost.
func (p *Policy) Unasked(v Volumes, src vfs.File, want *metadata.State) (u Unasked) {
	losesACLs := !p.Keep.ACLs || p.ignoreACLs(v)
	losesForks := !p.Keep.Xattrs && !p.Keep.NoXattrs && len(p.Source.Forks) > 0
	if p.Keep.Xattrs && !losesACLs || v.Source.Network && !losesForks {
		return u
	}
	names := want.Unkept
	if !p.Keep.Xattrs && losesACLs { // nothing has been read
		names, _ = src.Xattrs(false) // what cannot be listed is not counted
	}
	for _, name := range names {
		fate := p.Source.Xattr(name)
		u.ACLs = u.ACLs || fate&metadata.IsACL != 0
		u.Xattrs = u.Xattrs || fate&(metadata.IsACL|metadata.Copies) == metadata.Copies
		u.Forks = u.Forks || slices.Contains(p.Source.Forks, name)
	}
	u.ACLs = losesACLs && (u.ACLs || p.hasUnlistedACL(v.Source, src))
	u.Xattrs = u.Xattrs && !p.Keep.Xattrs
	u.Forks = u.Forks && losesForks
	return u
}

// hasUnlistedACL reports whether a file of the source has an ACL that is missing from its list of extended attributes
// and grants or denies more than the mode.
func (p *Policy) hasUnlistedACL(v *volume.Volume, src vfs.File) bool {
	if v.Network || v.LacksACLs {
		return false
	}
	return slices.ContainsFunc(p.Source.UnlistedACLs, func(name string) bool {
		value, err := src.Xattr(name)
		return err == nil && (p.Source.TrivialACL == nil || !p.Source.TrivialACL(name, value))
	})
}

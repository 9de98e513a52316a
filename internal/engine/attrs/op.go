package attrs

import (
	"strings"
	"syscall"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An outcome is the result so far of operations on an entry.
type outcome struct {
	notes  Notes
	flawed bool // some attribute is wrong, but the next run may correct it
}

// try carries out one operation, which is not long, unless it is known to have no effect.
func (s *Setter) try(v *volume.Volume, on vfs.Node, op *metadata.Op, r *outcome) error {
	tried, err := s.begin(v, op, r)
	if !tried {
		return err
	}
	s.changes = append(s.changes[:0], op.Change())
	return s.end(v, on, op, op.Outcome(errorOf(on.Set(s.changes), 0)))
}

// begin reports whether to try an operation, or returns the error with which the volume refused such an operation
// before.
func (s *Setter) begin(v *volume.Volume, op *metadata.Op, r *outcome) (tried bool, err error) {
	s.noteLost(v, op, &r.notes)
	if !op.IsTried() {
		return false, nil
	}
	err = v.Unsupported(featureOf(op))
	return err == nil, err
}

// end returns the error of an operation that was carried out with the result err, and records what it shows about the
// volume.
func (s *Setter) end(v *volume.Volume, on vfs.Node, op *metadata.Op, err error) error {
	if err == nil && op.RemovesACL() && v.IgnoresACLRemoval(s.Dest, on, op.Xattr.Name) {
		err = errIgnored
	}
	if err != nil && op.Class != metadata.Owner && op.Class != metadata.Times {
		v.LearnUnsupported(featureOf(op), err)
	}
	return err
}

// featureOf returns what a volume needs for an operation.
func featureOf(op *metadata.Op) volume.Feature {
	what := volume.Feature{Attr: op.Attr}
	if op.Xattr.Name != "" {
		what.Namespace, _, _ = strings.Cut(op.Xattr.Name, ".")
	}
	return what
}

// proceed handles err, the error of the first of ops or nil, and returns it if it is fatal.
func (s *Setter) proceed(v *volume.Volume, on vfs.Node, ops []metadata.Op, err error, r *outcome) error {
	op, rest := &ops[0], ops[1:]
	if err == nil {
		if op.Class == metadata.Owner && v.MayIgnoreOwner(on, ops) {
			metadata.WithholdSetID(rest)
		}
		return nil
	}
	if !op.Proceed(err, rest) {
		return err
	}
	s.forgive(op, err, r)
	return nil
}

// noteLost notes attributes that the volume is known not to keep, and why.
func (s *Setter) noteLost(v *volume.Volume, op *metadata.Op, notes *Notes) {
	all := s.Keep.Asked | s.Keep.Archived
	lost := op.Lost
	if op.Foreign {
		s.addUnkept(notes, lost, errForeign, all)
	}
	if lost == 0 || op.Foreign {
		return
	}
	ignored := lost & v.Ignored()
	s.addUnkept(notes, ignored, errIgnored, all)
	lost &^= ignored
	asked := all
	if !s.Keep.Owner || !s.Keep.Group {
		asked = s.Keep.Asked
	}
	s.addUnkept(notes, lost&report.Mode, errWithheld, asked)
	s.addUnkept(notes, lost&^report.Mode, syscall.EPERM, all)
}

// Unkept returns the note that attributes cannot be kept.
func (p *Policy) Unkept(attrs report.Attr, err error) (notes Notes) {
	p.addUnkept(&notes, attrs, err, p.Keep.Asked|p.Keep.Archived)
	return notes
}

// addUnkept adds that note. Not keeping the attributes in asked is a failure.
func (p *Policy) addUnkept(notes *Notes, attrs report.Attr, err error, asked report.Attr) {
	if attrs != 0 && !p.Keep.Silent {
		*notes = append(*notes, Note{Attrs: attrs, Err: err, Asked: attrs & asked})
	}
}

// forgive notes that an operation failed, although not fatally. A failure that is not a limitation of the volume
// fails the entry by name.
func (s *Setter) forgive(op *metadata.Op, err error, r *outcome) {
	op.Diff, op.Never = 0, true
	if err == errIgnored || vfs.CannotKeep(err) {
		s.addUnkept(&r.notes, op.Attr, err, s.Keep.Asked|s.Keep.Archived)
	} else {
		r.notes.addFailed(bool(onDest), op.Attr, "set", err)
		r.flawed = true
	}
}

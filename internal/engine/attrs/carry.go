package attrs

import (
	"cmp"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// maxCarried is how many bytes of extended attributes one request carries, unless a single attribute is larger.
const maxCarried = 256 << 10

// carrier returns the entry as a Node that carries out several operations at once, or nil if that is not possible.
// The caller closes it.
func carrier(v *volume.Volume, at metadata.Entry) vfs.Node {
	if !v.Network || !at.Dir.Caps().Has(vfs.CanCarry) {
		return nil
	}
	n, err := at.Dir.Node(at.Name)
	if err != nil {
		return nil
	}
	return n
}

// carry is apply for an entry on a remote volume: operations share a round trip unless later ones depend on more than
// the errors of earlier ones.
func (s *Setter) carry(v *volume.Volume, c metadata.Carrier, on, src vfs.Node, ops []metadata.Op, r *outcome) error {
	for len(ops) > 0 {
		n := s.together(v, ops)
		if err := s.carryFirst(n, v, c, on, src, ops, r); err != nil {
			return err
		}
		ops = ops[n:]
	}
	return nil
}

// carryFirst carries out the first n of ops.
func (s *Setter) carryFirst(n int, v *volume.Volume, c metadata.Carrier, on, src vfs.Node, ops []metadata.Op, r *outcome) error {
	var errs []error
	switch first := s.prepare(v, ops[:n], r); {
	case first == nil:
	case first[0].Xattr.Long: // the value is local and is sent piece by piece
		errs = metadata.Carry(on, src, first)
	default:
		errs = c.Carry(first)
	}
	return s.conclude(n, v, on, ops, errs, r)
}

// finish carries out operations on a late file whose contents are written, and closes it. If it returns an error, the
// file has been removed, unless the error says otherwise.
func (s *Setter) finish(v *volume.Volume, f LateFile, at metadata.Entry, src vfs.Node, ops []metadata.Op, sync bool, r *outcome) error {
	n := s.together(v, ops)
	for n < len(ops) || n > 0 && ops[0].Xattr.Long {
		if err := s.carryFirst(n, v, f, f, src, ops, r); err != nil {
			return vfs.JoinErrors(err, f.Discard())
		}
		ops = ops[n:]
		n = s.together(v, ops)
	}
	last := s.prepare(v, ops, r)
	errs, err := f.Finish(last, sync)
	if err != nil && metadata.FirstFatal(last, errs) == nil {
		return err // not the fault of the operations
	}
	if failed := s.conclude(n, v, at, ops, errs, r); failed != nil {
		return failed
	}
	return err
}

// together returns how many of ops, starting with the first, one request can carry.
func (s *Setter) together(v *volume.Volume, ops []metadata.Op) int {
	var size int
	for i := range ops {
		op := &ops[i]
		if !op.IsTried() {
			continue
		}
		size += len(op.Xattr.Value)
		locks := op.Class == metadata.Flags && op.Flags&s.Dest.LockFlags&^op.Locked != 0 // only if nothing has failed
		if i > 0 && (op.Xattr.Long || locks || size > maxCarried) {
			return i
		}
		if op.Xattr.Long || v.MustCheckOwner(ops[i:]) || op.RemovesACL() && v.MustCheckACLRemoval() {
			return i + 1
		}
	}
	return len(ops)
}

// prepare returns ops as they will be sent, without trying operations that the volume is known to refuse. It returns
// nil if none is left.
func (s *Setter) prepare(v *volume.Volume, ops []metadata.Op, r *outcome) []metadata.Op {
	var tried bool
	s.sent = s.sent[:0]
	for i := range ops {
		if r.flawed {
			s.Dest.WithholdLocks(&ops[i])
		}
		op := ops[i]
		if !op.IsTried() || v.Unsupported(featureOf(&op)) != nil {
			op = metadata.Op{Class: op.Class, Never: true}
		}
		tried = tried || op.IsTried()
		s.sent = append(s.sent, op)
	}
	if !tried {
		return nil
	}
	return s.sent
}

// conclude handles errs, the outcome of the first n of ops, as if they had been carried out one by one.
func (s *Setter) conclude(n int, v *volume.Volume, on vfs.Node, ops []metadata.Op, errs []error, r *outcome) error {
	for i := range n {
		op := &ops[i]
		tried, err := s.begin(v, op, r)
		if tried {
			err = s.end(v, on, op, carried(on, op, errs, i))
		}
		if err = s.proceed(v, on, ops[i:], err, r); err != nil {
			return err
		}
	}
	return nil
}

// carried returns the error of the operation at i in errs, or the last error if the request failed as a whole. Of an
// owner and group, only the group may have been set; see [metadata.Op.Do].
func carried(on vfs.Node, op *metadata.Op, errs []error, i int) error {
	err := metadata.ErrNotTried
	switch {
	case i < len(errs):
		err = op.Outcome(errs[i])
	case len(errs) > 0:
		err = cmp.Or(errs[len(errs)-1], err)
	}
	if op.Class == metadata.Owner && op.UID >= 0 && op.GID >= 0 && err != nil && !op.IsFatal(err) {
		if now, staterr := on.Stat(); staterr == nil && int(now.GID) == op.GID {
			op.Attr &^= report.Group
		}
	}
	return err
}

// A LateFile is a file whose creation may not yet be known to have succeeded.
type LateFile interface {
	vfs.File
	metadata.LateFile
}

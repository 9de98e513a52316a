package attrs

import (
	"cmp"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// maxTogether is how many bytes of extended attributes one request carries, unless a single attribute is larger.
const maxTogether = 256 << 10

// apply carries out operations on an entry. What the destination or the user's rights do not allow is noted but is
// not an error: the entry exists, and its contents are correct. Long attributes are read from src. Operations share a
// request to a remote host unless later ones depend on more than the errors of earlier ones.
func (s *Setter) apply(v *volume.Volume, on, src vfs.Node, ops []metadata.Op, r *outcome) error {
	for len(ops) > 0 {
		n := s.together(v, ops)
		if err := s.applyFirst(n, v, on, src, ops, r); err != nil {
			return err
		}
		ops = ops[n:]
	}
	return nil
}

// applyFirst carries out the first n of ops.
func (s *Setter) applyFirst(n int, v *volume.Volume, on, src vfs.Node, ops []metadata.Op, r *outcome) error {
	var errs []error
	switch first := s.prepare(v, ops[:n], r); {
	case first == nil:
	case ops[0].IsLong(): // the value is sent piece by piece
		errs = []error{ops[0].CopyLong(on, src)}
	default:
		errs = on.Set(first)
	}
	return s.conclude(n, v, on, ops, errs, r)
}

// commit carries out operations on a file opened with CreateAsync whose contents are written, and closes it. If it returns an error, the
// file has been removed, unless the error says otherwise.
func (s *Setter) commit(v *volume.Volume, f vfs.File, at metadata.Entry, src vfs.Node, ops []metadata.Op, sync bool, r *outcome) error {
	n := s.together(v, ops)
	for n < len(ops) || n > 0 && ops[0].IsLong() {
		if err := s.applyFirst(n, v, f, src, ops, r); err != nil {
			return vfs.JoinErrors(err, f.Close())
		}
		ops = ops[n:]
		n = s.together(v, ops)
	}
	last := s.prepare(v, ops, r)
	errs, err := f.Commit(last, sync)
	if err != nil && vfs.FirstFatal(last, errs) == nil {
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
		if i > 0 && (op.IsLong() || locks || size > maxTogether) {
			return i
		}
		if op.IsLong() || v.MustCheckOwner(ops[i:]) || op.RemovesACL() && v.MustCheckACLRemoval() {
			return i + 1
		}
	}
	return len(ops)
}

// prepare returns the changes that ops make, without those that the volume is known to refuse. It returns nil if none is
// left to be tried.
func (s *Setter) prepare(v *volume.Volume, ops []metadata.Op, r *outcome) []vfs.Change {
	var tried bool
	s.changes = s.changes[:0]
	for i := range ops {
		op := &ops[i]
		if r.flawed {
			s.Dest.WithholdLocks(op) // otherwise the next run could not correct what this one could not
		}
		var c vfs.Change
		if op.IsTried() && v.Unsupported(featureOf(op)) == nil {
			tried, c = true, op.Change()
		}
		s.changes = append(s.changes, c)
	}
	if !tried {
		return nil
	}
	return s.changes
}

// conclude handles errs, the outcome of the first n of ops, as if they had been carried out one by one.
func (s *Setter) conclude(n int, v *volume.Volume, on vfs.Node, ops []metadata.Op, errs []error, r *outcome) error {
	for i := range n {
		op := &ops[i]
		tried, err := s.begin(v, op, r)
		if tried {
			err = s.end(v, on, op, op.Outcome(errorOf(errs, i)))
		}
		if err = s.proceed(v, on, ops[i:], err, r); err != nil {
			return err
		}
	}
	return nil
}

// errorOf returns the error of the change at i in errs, or the last error if the request failed as a whole.
func errorOf(errs []error, i int) error {
	switch {
	case i < len(errs):
		return errs[i]
	case len(errs) > 0:
		return cmp.Or(errs[len(errs)-1], vfs.ErrNotTried)
	}
	return nil
}

package metadata

import (
	"errors"
	"slices"

	"psync/internal/vfs"
)

// ErrNotTried says that an operation was not tried because one before it failed.
var ErrNotTried = errors.New("not tried, because an earlier change failed")

// A Carrier is a vfs.Node whose entry is far away: it carries out several operations in one round trip, by the
// rules of [Carry]. Caps that have vfs.CanCarry say that the Nodes of a Dir, or a File, are Carriers.
type Carrier interface {
	// Carry returns an error, or nil, for each of ops, which it does not change. If there are fewer, the last one is
	// why the others were not tried.
	Carry(ops []Op) []error
}

// A LateFile is a file that vfs.Dir.OpenFile has made with CreateLate. All Dirs whose caps have vfs.CanCreateLate make
// such files.
type LateFile interface {
	Carrier
	// Finish carries out ops when all that was written has arrived, syncs the file if sync is true, and closes it.
	// err says that the file could not be made, its contents could not be stored, or that one of errs is fatal, as
	// [FirstFatal] says; then nothing of it is left.
	Finish(ops []Op, sync bool) (errs []error, err error)
	// Discard closes the file in place of Finish or Close. Nothing of it is left, unless Discard returns an error.
	Discard() error
}

// Carry carries out operations in order, and returns an error, or nil, for each of them. It does not change ops. A
// failed change of the owner withholds set-id bits, and after a fatal error the rest is not tried. A lack of
// permission is an error even of a quiet operation; see [Op.Outcome]. Long attributes are taken from the entry src,
// which may be nil if there are none.
func Carry(on, src vfs.Node, ops []Op) []error {
	ops = slices.Clone(ops)
	errs := make([]error, len(ops))
	for i := range ops {
		op := &ops[i]
		if !op.IsTried() {
			continue
		}
		errs[i] = op.do(on, src)
		if !op.Proceed(errs[i], ops[i+1:]) {
			for j := i + 1; j < len(errs); j++ {
				errs[j] = ErrNotTried
			}
			break
		}
	}
	return errs
}

// IsTried reports whether there is anything to carry out.
func (op *Op) IsTried() bool { return !op.Never && op.Class != Rename }

// Proceed changes rest, the operations after op, as err, the error of op or nil, requires: after a failed change of
// the owner, set-id bits would give the rights of another user. It reports whether rest is to be tried.
func (op *Op) Proceed(err error, rest []Op) bool {
	if err == nil {
		return true
	}
	if op.Class == Owner {
		WithholdSetID(rest)
	}
	return !op.IsFatal(err)
}

// IsFatal reports whether an entry for which the operation failed with err is of no use: the next run would take
// it for what it is not, or others could use it who must not. What the volume or the user's rights do not allow
// is not fatal.
func (op *Op) IsFatal(err error) bool {
	switch op.Class {
	case Owner, Mode, Times, Grant:
		return err != nil && !CannotKeep(err)
	}
	return false
}

// FirstFatal returns the first fatal error among errs, which are those of ops, or nil.
func FirstFatal(ops []Op, errs []error) error {
	for i, err := range errs {
		if ops[i].IsFatal(err) {
			return err
		}
	}
	return nil
}

// WithholdSetID removes the set-id bits from operations; see [Op.WithholdSetID].
func WithholdSetID(ops []Op) {
	for i := range ops {
		ops[i].WithholdSetID()
	}
}

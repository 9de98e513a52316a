package volume

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// fidelity records which attributes that were set without an error have been found to be kept.
type fidelity struct {
	known atomic.Pointer[metadata.Fidelity] // replaced under mu
	mu    sync.Mutex

	verifying atomic.Bool   // a worker has started the first verification
	verified  chan struct{} // closed when that verification is done

	ignored     atomic.Uint32 // report.Attr: what the volume accepts but does not store
	removesACLs atomic.Bool   // an ACL that was removed has been seen to be gone
}

// Ignored returns the attributes that can be set on the volume without an error and without effect.
// It returns 0 for a nil volume.
func (v *Volume) Ignored() report.Attr {
	if v == nil {
		return 0
	}
	attrs := report.Attr(v.fidelity.ignored.Load())
	if v.OwnersIgnored {
		attrs |= report.Owner | report.Group
	}
	return attrs
}

func (v *Volume) learnIgnored(attr report.Attr) { v.fidelity.ignored.Or(uint32(attr)) }

// Keeps reports whether the volume has been seen to keep what operations set.
func (v *Volume) Keeps(ops []metadata.Op) bool { return v.fidelity.known.Load().Unverified(ops) == 0 }

// Verify checks whether ops, which succeeded on an entry, have set its attributes, unless this
// volume has been seen to keep such attributes before: some volumes accept owners, modes or times and
// store something else. It returns the attributes that were not kept and, of these, those that ops did not
// change at all. before holds the attributes from before ops, or is nil if they are unknown.
func (v *Volume) Verify(on vfs.Node, before *vfs.Attr, ops []metadata.Op) (missed, ignored report.Attr) {
	f := &v.fidelity
	unverified := f.known.Load().Unverified(ops)
	if unverified == 0 {
		return 0, 0
	}
	if !f.verifying.Swap(true) {
		defer close(f.verified)
	} else {
		<-f.verified // another worker verifies the volume, which may save a round trip
		if unverified = f.known.Load().Unverified(ops); unverified == 0 {
			return 0, 0
		}
	}
	now, err := vfs.Stat(on)
	if err != nil {
		return 0, 0 // setting them succeeded, so only the lookup failed
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := *f.known.Load()
	if missed = known.Verify(unverified, ops, now); missed != 0 && before != nil {
		ignored = known.Ignored(missed, ops, *before, now)
		v.learnIgnored(ignored)
	}
	f.known.Store(&known)
	return missed, ignored
}

// MustCheckOwner reports whether the first of ops, if it changes the owner and succeeds, may have had no effect, and
// a later one of ops sets a set-id bit, which would then grant the rights of the old owner.
func (v *Volume) MustCheckOwner(ops []metadata.Op) bool {
	return ops[0].Class == metadata.Owner && v.fidelity.known.Load().Unverified(ops[:1]) != 0 &&
		slices.ContainsFunc(ops[1:], func(op metadata.Op) bool { return op.SetsID() })
}

// MayIgnoreOwner reports whether the first of ops, which succeeded, must be checked according to MustCheckOwner, and
// had no effect on the owner or could not be checked. Only if it must be checked are the attributes of the entry
// read.
func (v *Volume) MayIgnoreOwner(on vfs.Node, ops []metadata.Op) bool {
	if !v.MustCheckOwner(ops) {
		return false
	}
	now, err := vfs.Stat(on)
	owner := &ops[0]
	return err != nil || owner.UID >= 0 && owner.UID != int(now.UID) || owner.GID >= 0 && owner.GID != int(now.GID)
}

// MustCheckACLRemoval reports whether removing an ACL may succeed without effect. It returns false once a removed ACL
// was found to be gone. It may be called on a nil volume.
func (v *Volume) MustCheckACLRemoval() bool {
	return v != nil && !v.KeepsAttrs && !v.fidelity.removesACLs.Load()
}

// IgnoresACLRemoval reports whether an ACL that was just removed is still there, and records the result. It looks
// only if MustCheckACLRemoval returns true. It may be called on a nil volume.
func (v *Volume) IgnoresACLRemoval(p *metadata.Profile, on vfs.Node, name string) bool {
	if !v.MustCheckACLRemoval() {
		return false
	}
	value, err := on.Xattr(name)
	stays := err == nil && !(p.TrivialACL != nil && p.TrivialACL(name, value))
	switch {
	case stays:
		v.learnIgnored(report.ACLs)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		v.fidelity.removesACLs.Store(true)
	}
	return stays
}

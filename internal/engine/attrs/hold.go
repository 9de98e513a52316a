package attrs

import (
	"errors"
	"io/fs"

	"psync/internal/lazymap"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A heldLift is what is currently lifted from an entry, shared by all of its Holds.
type heldLift struct {
	Lifted
	node  vfs.Node // the entry
	uses  int
	lifts int // how often something was lifted
}

// add records what was lifted from an entry, perhaps after others had set it again.
func (l *heldLift) add(more *Lifted) {
	if more.Any() {
		l.Lifted = *more.Union(&l.Lifted)
		l.lifts++
	}
}

// A Hold is a worker's use of an entry, while what prevents changing it is lifted. Its methods may be called
// on a nil *Hold, which has lifted nothing.
type Hold struct {
	lifter *Lifter
	id     vfs.ID
	lift   *heldLift
	lifts  int // those of lift that this worker knows of
}

// Hold lifts what prevents changing the entry called name in the directory in, until Release is called. It
// returns nil if the run may not lift anything, or if the entry cannot be opened.
func (f *Lifter) Hold(in vfs.Dir, name string) *Hold {
	if !f.mayLift() {
		return nil
	}
	n := f.openToLift(in, name)
	if n == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	// Only now do the attributes show what other workers have lifted or restored.
	attr, err := vfs.Stat(n)
	if err != nil {
		_ = n.Close()
		return nil
	}
	h := f.held[attr.ID()]
	if h == nil {
		h = &heldLift{node: n}
		lazymap.Set(&f.held, attr.ID(), h)
		l := f.lift(n, attr)
		h.add(&l)
	} else {
		_ = n.Close()
	}
	h.uses++
	return &Hold{f, attr.ID(), h, h.lifts}
}

// openToLift opens an entry, if possible in a way that reaches it even after it is renamed or loses the name. It
// returns nil if the entry cannot be opened.
func (f *Lifter) openToLift(in vfs.Dir, name string) vfs.Node {
	if attr, err := vfs.Lstat(in, name); err == nil && attr.Mode.IsRegular() {
		if file, err := in.OpenFile(name, vfs.ReadOnly, 0); err == nil {
			return file
		}
	}
	n, err := f.node(in, vfs.Entry{Name: name})
	if err != nil {
		return nil
	}
	return n
}

// maxLifts is how often what prevents an operation is lifted again. Other workers set it a few times at most, but a
// server may set it each time.
const maxLifts = 16

// Try calls do, an operation on the entry, and calls it again, a limited number of times, while it fails because another
// worker has set a lock or an ACL.
func (h *Hold) Try(do func() error) error {
	for range maxLifts {
		err := do()
		if !errors.Is(err, fs.ErrPermission) || !h.liftAgain() {
			return err
		}
	}
	return do()
}

// liftAgain lifts what was set since this worker looked at the entry, and reports whether anything has
// been lifted since.
func (h *Hold) liftAgain() bool {
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	if attr, err := vfs.Stat(h.lift.node); err == nil {
		l := h.lifter.lift(h.lift.node, attr)
		h.lifter.forgetIgnored(h.lift.node, &l)
		h.lift.add(&l)
	}
	again := h.lift.lifts != h.lifts
	h.lifts = h.lift.lifts
	return again
}

// Release ends the use of the entry. It restores what was lifted if there are no other Holds and the entry
// still has a name.
func (h *Hold) Release() (err error) {
	if h == nil {
		return nil
	}
	f := h.lifter
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.lift.uses--; h.lift.uses > 0 {
		return nil
	}
	delete(f.held, h.id)
	if attr, serr := vfs.Stat(h.lift.node); serr == nil && attr.Nlink > 0 {
		err = h.lift.Restore(h.lift.node)
	}
	return vfs.JoinErrors(err, h.lift.node.Close())
}

// Discard drops what was lifted, because the entry now has the attributes it should have. What others have lifted
// since AddTo was called is kept, because they lifted it from these attributes.
func (h *Hold) Discard() {
	if h == nil {
		return
	}
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	if h.lift.lifts == h.lifts {
		h.lift.Lifted = Lifted{}
	}
}

// AddTo adds what was lifted to s, so that s is the state that the entry had before.
func (h *Hold) AddTo(s *metadata.State) {
	if h == nil {
		return
	}
	h.lifter.mu.Lock()
	defer h.lifter.mu.Unlock()
	h.lift.AddTo(s)
	h.lifts = h.lift.lifts
}

// addLifted adds to s, the state of an entry, what workers have lifted from it to use other names of it.
func (f *Lifter) addLifted(s *metadata.State) {
	if f == nil || s.Nlink < 2 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if h := f.held[s.ID()]; h != nil {
		h.AddTo(s)
	}
}

// whileSetting calls do, which carries out operations on an entry with the attributes attr. The locks and ACLs that
// they set are correct, so workers that lifted the former ones to use other names of the entry do not restore those.
func (f *Lifter) whileSetting(attr *vfs.Attr, ops []metadata.Op, do func() error) error {
	if f == nil || attr.Nlink < 2 || !f.mayLift() {
		return do()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	err := do()
	if h := f.held[attr.ID()]; h != nil && err == nil {
		h.forget(ops)
	}
	return err
}

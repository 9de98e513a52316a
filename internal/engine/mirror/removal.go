package mirror

import (
	"strings"
	"sync/atomic"

	"psync/internal/vfs"
	"psync/internal/walk"
)

// Removals keeps open the directories that are being removed. Each is opened by its name in its parent,
// without following links and, unless CrossMounts is true, without entering mount points. S is what the
// caller stores about each directory.
type Removals[S any] struct {
	walk.Cache[vfs.Dir]
	CrossMounts bool
}

// A Removal is a directory of the destination that is being removed with everything in it, or, if it
// has no parent, a directory that stays while others are removed from it. The worker that removes
// the last entry of a directory removes the directory as well, and so on upwards; see Finish.
//
// A Removal has its name and its parent rather than its path: the paths of all directories of a deep
// tree would take memory that grows with the square of the depth.
type Removal[S any] struct {
	Parent *Removal[S] // nil for a directory that stays
	Name   string      // in Parent
	Source int         // index of the source that lacks it
	Dev    uint64      // the file system that it must be on
	State  S

	removals *Removals[S]
	node     walk.Node[vfs.Dir]
	base     Base
	id       vfs.ID       // of the directory; zero until it is listed
	pending  atomic.Int64 // subdirectories not yet removed, plus one until all are known
	kept     atomic.Bool  // something in it was not removed, so it cannot be removed either
}

// A Base is a directory that stays while directories in it are removed.
type Base interface {
	Path() string          // below the destination
	Use() (vfs.Dir, error) // opens it, to stay open until Done is called
	Done()
	Release() // called when everything that was to be removed from it is gone
}

// In returns the Removal for directories in a base that are to be removed because a source lacks them.
// The caller calls Close.
func (rs *Removals[S]) In(b Base, source int) *Removal[S] {
	rm := &Removal[S]{removals: rs, Source: source, base: b}
	rm.node = walk.NewNode[vfs.Dir](nil, opener[S]{rm})
	return rm.start()
}

// Child returns the Removal of a subdirectory of rm; rm is not removed before it. The caller calls Close.
func (rm *Removal[S]) Child(name string, dev uint64) *Removal[S] {
	rm.pending.Add(1)
	sub := &Removal[S]{removals: rm.removals, Parent: rm, Name: name, Source: rm.Source, Dev: dev}
	sub.node = walk.NewNode[vfs.Dir](&rm.node, opener[S]{sub})
	return sub.start()
}

func (rm *Removal[S]) start() *Removal[S] {
	rm.removals.Retain(&rm.node, 1) // until Close is called
	rm.pending.Store(1)
	return rm
}

// Use returns the directory, opening it if necessary. It stays open until Done is called.
func (rm *Removal[S]) Use() (vfs.Dir, error) { return rm.removals.Use(&rm.node) }

// UseParent is Use for the parent of rm.
func (rm *Removal[S]) UseParent() (vfs.Dir, error) { return rm.removals.UseParent(&rm.node) }

// Done ends a use.
func (rm *Removal[S]) Done() { rm.removals.Done(&rm.node) }

// Close ends the need of the directory, which is then closed unless others use it.
func (rm *Removal[S]) Close() {
	rm.removals.Release(&rm.node)
	if rm.base != nil {
		rm.base.Release()
	}
}

// SetID records the identity of the directory, which serves later to recognize it as the parent of another.
func (rm *Removal[S]) SetID(id vfs.ID) { rm.id = id }

// Keep records that something in the directory stays, and so the directory itself.
func (rm *Removal[S]) Keep() { rm.kept.Store(true) }

// IsKept reports whether the directory stays.
func (rm *Removal[S]) IsKept() bool { return rm.kept.Load() }

// Finish records that a part of the work in the directory is done: all of its subdirectories are known, or
// one of them is dealt with. After the last part, Finish calls remove, which removes the directory and reports
// whether it is gone, and goes on likewise with its parent. For a directory that has no parent, it calls stays
// instead.
func (rm *Removal[S]) Finish(remove func(*Removal[S]) (gone bool), stays func(*Removal[S])) {
	for rm.pending.Add(-1) == 0 {
		up := rm.Parent
		if up == nil {
			stays(rm)
			return
		}
		if !remove(rm) {
			up.Keep()
		}
		rm = up
	}
}

// Path returns the path of the directory below the destination.
func (rm *Removal[S]) Path() string {
	var names []string
	for ; rm.Parent != nil; rm = rm.Parent {
		names = append(names, rm.Name)
	}
	var b strings.Builder
	b.WriteString(rm.base.Path())
	for i := len(names) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		b.WriteString(names[i])
	}
	return b.String()
}

// OpenDir opens a directory that is to be removed. It fails for a link and, unless crossMounts
// is true, for a mount point.
func OpenDir(in vfs.Dir, name string, crossMounts bool) (vfs.Dir, error) {
	if !crossMounts && in.Caps().Has(vfs.CanConfine) {
		return in.OpenDirWithin(name)
	}
	return in.OpenDir(name)
}

// An opener opens the directory of a Removal; see [walk.Dir].
type opener[S any] struct{ *Removal[S] }

func (o opener[S]) Open(in vfs.Dir) (vfs.Dir, error) {
	if o.base != nil {
		return o.base.Use()
	}
	return OpenDir(in, o.Name, o.removals.CrossMounts)
}

// OpenFrom opens it as the parent of child; see [walk.ParentOpener]. If that is not the directory that
// was listed, child has been moved.
func (o opener[S]) OpenFrom(child vfs.Dir) (vfs.Dir, bool) {
	if o.base != nil {
		return nil, false
	}
	dir, err := child.OpenParent()
	if err != nil {
		return nil, false
	}
	if attr, err := dir.Lstat("."); err != nil || attr.ID() != o.id {
		dir.Close()
		return nil, false
	}
	return dir, true
}

func (o opener[S]) Close(dir vfs.Dir) {
	if o.base != nil {
		o.base.Done()
		return
	}
	dir.Close()
}

package mirror

import (
	"strings"
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// Removals keeps directories open while they are being removed. Each is opened by its name in its parent, without
// following links and, unless CrossMounts is true, without entering mount points.
type Removals struct {
	walk.Cache[vfs.Dir]
	CrossMounts bool
}

// A Removal is a directory of the destination that is being removed with everything in it or, if it has no parent, a
// directory that stays while others are removed from it. The worker that removes the last entry of a directory also
// removes the directory, and so on upwards; see Finish.
//
// A Removal holds its name and its parent rather than its path: the paths of all directories of a deep tree would
// take memory that grows with the square of the depth.
type Removal struct {
	Parent *Removal // nil for a directory that stays
	Name   string   // in Parent
	Source int      // index of the source that lacks it
	Dev    uint64   // the file system that it must be on
	Base   Base     // the directory that stays; nil for one that is removed

	Premise  *Premise         // why it is removed; nil if that does not depend on a source
	Original *backup.Original // its attributes before the run changed it, once it is listed
	Rules    source.Rules     // in force in its parent, and in it once it is listed; nil: those of the run

	removals *Removals
	node     walk.Node[vfs.Dir]
	lifted   *attrs.Lifted // from it, until it is removed
	id       vfs.ID        // of the directory; zero until it is listed
	pending  atomic.Int64  // subdirectories not yet removed, plus one until all are known
	kept     atomic.Bool   // something in it was not removed, so it cannot be removed either
}

// A Base is a directory that stays while directories in it are removed.
type Base interface {
	Path() string          // below the source
	Into() string          // the path below the destination that Path is relative to
	Use() (vfs.Dir, error) // opens it, to stay open until Done is called
	Done()
	Release() // called when all removals from it have ended
}

// In returns the Removal for a base whose extraneous directories are removed because a source lacks them. The caller
// calls Close.
func (rs *Removals) In(b Base, source int) *Removal {
	rm := &Removal{removals: rs, Source: source, Base: b}
	rm.node = walk.NewNode[vfs.Dir](nil, opener{rm})
	return rm.start()
}

// Child returns the Removal of a subdirectory of rm for the same reason; rm is not removed before it. The caller
// calls Close.
func (rm *Removal) Child(name string, dev uint64) *Removal {
	rm.pending.Add(1)
	sub := &Removal{removals: rm.removals, Parent: rm, Name: name, Source: rm.Source, Dev: dev, Premise: rm.Premise, Rules: rm.Rules}
	sub.node = walk.NewNode[vfs.Dir](&rm.node, opener{sub})
	return sub.start()
}

func (rm *Removal) start() *Removal {
	rm.removals.Retain(&rm.node, 1) // until Close is called
	rm.pending.Store(1)
	return rm
}

// Use returns the directory, opening it if necessary. It stays open until Done is called.
func (rm *Removal) Use() (vfs.Dir, error) { return rm.removals.Use(&rm.node) }

// UseParent is Use for the parent of rm.
func (rm *Removal) UseParent() (vfs.Dir, error) { return rm.removals.UseParent(&rm.node) }

// Done ends a use of the directory.
func (rm *Removal) Done() { rm.removals.Done(&rm.node) }

// Close ends the caller's need for the directory, which is then closed unless others use it.
func (rm *Removal) Close() {
	rm.removals.Release(&rm.node)
	if rm.Base != nil {
		rm.Base.Release()
	}
}

// Keep records that something in the directory stays, so the directory stays too.
func (rm *Removal) Keep() { rm.kept.Store(true) }

// IsKept reports whether the directory stays.
func (rm *Removal) IsKept() bool { return rm.kept.Load() }

// Finish records that a part of the work in the directory is done: all of its subdirectories are known, or one of
// them has been processed. After the last part, Finish calls remove, which removes the directory and reports whether
// it is gone, and then does the same for its parent. For a directory without a parent, it calls stays instead.
func (rm *Removal) Finish(remove func(*Removal) (gone bool), stays func(*Removal)) {
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

// into returns what Into of the base returns.
func (rm *Removal) into() string {
	for rm.Parent != nil {
		rm = rm.Parent
	}
	return rm.Base.Into()
}

// Path returns the path of the directory below the source.
func (rm *Removal) Path() string {
	var names []string
	for ; rm.Parent != nil; rm = rm.Parent {
		names = append(names, rm.Name)
	}
	var b strings.Builder
	b.WriteString(rm.Base.Path())
	for i := len(names) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		b.WriteString(names[i])
	}
	return b.String()
}

// OpenDir opens a directory that will be removed. It fails for a link and, unless crossMounts is true, for a mount
// point.
func OpenDir(in vfs.Dir, name string, crossMounts bool) (vfs.Dir, error) {
	if !crossMounts {
		return in.OpenDir(name, vfs.NoXDev)
	}
	return in.OpenDir(name, vfs.NoFollow)
}

// An opener opens the directory of a Removal; see [walk.Dir].
type opener struct{ *Removal }

func (o opener) Open(in vfs.Dir) (vfs.Dir, error) {
	if o.Base != nil {
		return o.Base.Use()
	}
	return OpenDir(in, o.Name, o.removals.CrossMounts)
}

// OpenFrom opens it as the parent of child; see [walk.ParentOpener]. If the result is not the directory that was
// listed, child has been moved.
func (o opener) OpenFrom(child vfs.Dir) (vfs.Dir, bool) {
	if o.Base != nil {
		return nil, false
	}
	dir, err := child.OpenDir("..", vfs.Parent)
	if err != nil {
		return nil, false
	}
	if attr, err := vfs.Lstat(dir, "."); err != nil || attr.ID() != o.id {
		dir.Close()
		return nil, false
	}
	return dir, true
}

func (o opener) Close(dir vfs.Dir) {
	if o.Base != nil {
		o.Base.Done()
		return
	}
	dir.Close()
}

// Position returns the position of the directory for reports.
func (rm *Removal) Position() report.Position {
	return report.Position{Source: rm.Source, DirPath: rm}
}

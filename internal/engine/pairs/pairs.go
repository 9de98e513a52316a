// Package pairs opens pairs of directories, each a directory of the source and its counterpart in the destination,
// and keeps them open for the tasks below them.
package pairs

import (
	"errors"
	"io/fs"
	"sync"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A Side is one of the two trees.
type Side uint8

// The sides.
const (
	Source Side = iota + 1
	Dest
)

// A Pair holds the handles of a directory of the source and of its counterpart.
type Pair struct {
	Src vfs.Dir
	Dst vfs.Dir // nil in a dry run that would have made it

	ClosedMode fs.FileMode // mode of Dst before it was changed to open it; 0 if it was not
	sharedDst  bool        // Dst belongs to the caller and stays open
}

// Close closes the directories.
func (p Pair) Close() {
	if p.Src != nil {
		p.Src.Close()
	}
	if p.Dst != nil && !p.sharedDst {
		p.Dst.Close()
	}
}

// A Cache opens pairs of directories and keeps a limited number of them open. It reopens pairs that it has closed
// when they are needed, from a root down, and follows links only where its fields allow it.
type Cache struct {
	walk.Cache[Pair]
	FollowSource   bool // a directory of the source may be reached through a symbolic link
	FollowDest     bool // likewise one of the destination
	MayGrantAccess bool // the owner of a destination directory may be granted access to it
	MayLack        bool // the destination may lack directories
}

// A Node represents a pair of directories in a [Cache].
type Node struct {
	walk.Node[Pair]
	cache  *Cache
	parent *Node                      // nil for the root of a source
	name   string                     // in parent
	follow followed                   // directories that may always be reached through a symbolic link
	reopen func() (Pair, Side, error) // opens a root, unless the root stays open

	mu       sync.Mutex // guards the fields below
	destID   vfs.ID     // of Pair.Dst, if known and links of the destination are followed
	destOnly *Node      // the destination alone, for removing other directories from it
}

// followed says which directories of a pair may be reached through a symbolic link.
type followed struct{ source, dest bool }

// Root returns the node of an open root that belongs to the caller. dest is the node of its destination alone, or nil
// if p has no source.
func (ps *Cache) Root(p Pair, dest *Node) *Node {
	return &Node{Node: walk.NewRoot(p), cache: ps, destOnly: dest}
}

// ReopenedRoot returns the node of a root that reopen opens whenever it is needed; see [Cache.Root].
func (ps *Cache) ReopenedRoot(reopen func() (Pair, Side, error), dest *Node) *Node {
	n := &Node{cache: ps, reopen: reopen, destOnly: dest}
	n.Node = walk.NewNode[Pair](nil, n)
	n.Retain()
	return n
}

// Child returns the node of the directory called name in the directory of n.
func (n *Node) Child(name string) *Node {
	c := &Node{cache: n.cache, parent: n, name: name}
	c.Node = walk.NewNode[Pair](&n.Node, c)
	return c
}

// FollowSource allows the directory of the source to be reached through a symbolic link.
func (n *Node) FollowSource() { n.follow.source = true }

// FollowDest allows the directory of the destination to be reached through a symbolic link.
func (n *Node) FollowDest() { n.follow.dest = true }

// Parent returns the parent of n, or nil for a root, and the name of n in its parent.
func (n *Node) Parent() (parent *Node, name string) { return n.parent, n.name }

// Dest returns the node of the destination alone.
func (n *Node) Dest() *Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.destOnly == nil {
		n.destOnly = n.parent.Dest().Child(n.name)
		n.destOnly.follow = n.follow
	}
	return n.destOnly
}

// Retain records that a task will need the directories.
func (n *Node) Retain() { n.cache.Retain(&n.Node, 1) }

// Release records that one task no longer needs the directories.
func (n *Node) Release() { n.cache.Release(&n.Node) }

// Use returns the directories, which stay open until Done is called. If one cannot be opened, side says on which
// side.
func (n *Node) Use() (p Pair, side Side, err error) {
	p, err = n.cache.Use(&n.Node)
	if err == nil {
		return p, 0, nil
	}
	if e, ok := errors.AsType[*sideError](err); ok {
		return Pair{}, e.side, e.err
	}
	return p, 0, err
}

// Done ends a use of the directories.
func (n *Node) Done() { n.cache.Done(&n.Node) }

// Enter is Use for the task of copying these directories, for which the parent was retained.
func (n *Node) Enter() (p Pair, side Side, err error) {
	if n.parent == nil {
		return n.Use()
	}
	n.Retain()
	defer n.parent.Release()
	if p, side, err = n.Use(); err != nil {
		n.Release()
	}
	return p, side, err
}

// Reenter says that Enter will be called once more, for a task that is delivered again.
func (n *Node) Reenter() {
	if n.parent == nil {
		n.Retain()
	} else {
		n.parent.Retain()
	}
}

// Cancel says that Enter will not be called for a task after all.
func (n *Node) Cancel() {
	if n.parent == nil {
		n.Release()
	} else {
		n.parent.Release()
	}
}

// Leave ends the work on directories that Enter returned.
func (n *Node) Leave() {
	n.Done()
	n.Release()
}

// A sideError says on which side directories could not be opened.
type sideError struct {
	side Side
	err  error
}

func (e *sideError) Error() string { return e.err.Error() }

// Open opens the directories; see [walk.Dir].
func (n *Node) Open(in Pair) (p Pair, err error) {
	var side Side
	if n.parent == nil {
		p, side, err = n.reopen()
	} else {
		p, side, err = n.cache.openChild(in, n.name, n.follow)
	}
	if err != nil {
		return Pair{}, &sideError{side, err}
	}
	if err := n.verify(p); err != nil {
		p.Close()
		return Pair{}, &sideError{Dest, err}
	}
	return p, nil
}

// Close closes the directories.
func (n *Node) Close(p Pair) { p.Close() }

// verify checks, where links of the destination are followed, that a reopened directory is still the same one: it may
// have been replaced with a link.
func (n *Node) verify(p Pair) error {
	if !n.followsDest() || p.Dst == nil {
		return nil
	}
	attr, err := vfs.Lstat(p.Dst, ".")
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.destID == (vfs.ID{}) {
		n.destID = attr.ID()
	}
	if n.destID != attr.ID() {
		return source.ErrSwapped
	}
	return nil
}

func (n *Node) followsDest() bool { return n.cache.FollowDest || n.follow.dest }

// Expect sets the identity that verify requires of the directory, if links are followed and id is known.
func (n *Node) Expect(id vfs.ID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.followsDest() && id != (vfs.ID{}) {
		n.destID = id
	}
}

// OpenChild opens the directory called name on both sides.
func (ps *Cache) OpenChild(p Pair, name string) (child Pair, side Side, err error) {
	return ps.openChild(p, name, followed{})
}

// openChild is OpenChild, but also follows the links that follow allows.
func (ps *Cache) openChild(p Pair, name string, follow followed) (child Pair, side Side, err error) {
	if p.Src != nil {
		if child.Src, err = source.OpenDir(p.Src, name, ps.FollowSource || follow.source); err != nil {
			return Pair{}, Source, err
		}
	}
	if p.Dst == nil {
		return child, 0, nil
	}
	child.Dst, err = source.OpenDir(p.Dst, name, ps.FollowDest || follow.dest)
	if errors.Is(err, fs.ErrPermission) && ps.MayGrantAccess {
		child.Dst, child.ClosedMode, err = openClosed(p.Dst, name)
	}
	if err != nil && !(ps.MayLack && lacking(err)) {
		child.Close()
		return Pair{}, Dest, err
	}
	return child, 0, nil
}

// lacking reports whether an error from opening a directory says that the destination has no such directory. It may
// have something else there that a dry run did not remove.
func lacking(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// openClosed opens a directory of the destination whose mode has denied its owner access since an earlier run, as the
// mode of its source does. It returns the mode that the directory had.
func openClosed(dst vfs.Dir, name string) (vfs.Dir, fs.FileMode, error) {
	attr, err := vfs.Lstat(dst, name)
	if err != nil {
		return nil, 0, err
	}
	if err := vfs.Chmod(vfs.In(dst, name), attr.Mode|0o700); err != nil {
		return nil, 0, err
	}
	d, err := dst.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return nil, 0, vfs.JoinErrors(err, vfs.Chmod(vfs.In(dst, name), attr.Mode))
	}
	return d, attr.Mode, nil
}

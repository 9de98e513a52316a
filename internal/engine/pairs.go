package engine

import (
	"errors"
	"io/fs"
	"sync"
	"syscall"

	"psync/internal/engine/source"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A pair is a directory of the source and its counterpart.
type pair struct {
	src vfs.Dir
	dst vfs.Dir // nil where a dry run would have made it

	wasClosed  bool        // dst had to be opened up to be opened at all
	closedMode fs.FileMode // of dst before that
	sharedDst  bool        // dst is the job's, and stays open
}

func (p pair) close() {
	if p.src != nil {
		p.src.Close()
	}
	if p.dst != nil && !p.sharedDst {
		p.dst.Close()
	}
}

// A key names a directory of a source.
type key struct {
	source int
	path   string // as task.Path
}

// join is path.Join without the cleaning, for names that must stay as they are.
func join(dir, name string) string {
	switch {
	case dir == "":
		return name
	case name == "":
		return dir
	}
	return dir + "/" + name
}

// pairs opens pairs of directories, and keeps them open for the tasks below them.
type pairs struct {
	walk.Cache[pair]
	followSource bool // directories of the source may be links to them
	followDest   bool
	openUp       bool // directories of the destination may be opened to their owner
	mayLack      bool // the destination may lack directories
}

// A pairNode is the place of a pair of directories in a cache.
type pairNode struct {
	walk.Node[pair]
	pairs  *pairs
	parent *pairNode                  // nil for the root of a source
	name   string                     // in parent
	reopen func() (pair, side, error) // opens a root, unless that stays open

	mu       sync.Mutex // guards what follows
	destID   vfs.ID     // of pair.dst, where links of the destination are followed and it is known
	destOnly *pairNode  // of the destination alone, from which others are removed
}

// root returns the node of a root that is open and belongs to the caller.
func (ps *pairs) root(p pair) *pairNode { return &pairNode{Node: walk.NewRoot(p), pairs: ps} }

// reopenedRoot returns the node of a root that reopen opens whenever it is needed.
func (ps *pairs) reopenedRoot(reopen func() (pair, side, error)) *pairNode {
	n := &pairNode{pairs: ps, reopen: reopen}
	n.Node = walk.NewNode[pair](nil, n)
	n.retain()
	return n
}

// child returns the node of the directory called name in the one at n.
func (n *pairNode) child(name string) *pairNode {
	c := &pairNode{pairs: n.pairs, parent: n, name: name}
	c.Node = walk.NewNode[pair](&n.Node, c)
	return c
}

// dest returns the node of the destination alone.
func (n *pairNode) dest() *pairNode {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.destOnly == nil {
		n.destOnly = n.parent.dest().child(n.name)
	}
	return n.destOnly
}

// retain notes a task that will need the directories.
func (n *pairNode) retain() { n.pairs.Retain(&n.Node, 1) }

// release ends the need of one task.
func (n *pairNode) release() { n.pairs.Release(&n.Node) }

// use returns the directories, which stay open until done is called. If that fails, side tells where.
func (n *pairNode) use() (p pair, side side, err error) {
	p, err = n.pairs.Use(&n.Node)
	if e := (*sideError)(nil); errors.As(err, &e) {
		return pair{}, e.side, e.err
	}
	return p, 0, err
}

func (n *pairNode) done() { n.pairs.Done(&n.Node) }

// enter is use for a task of the directories, for which its parent was retained.
func (n *pairNode) enter() (p pair, side side, err error) {
	if n.parent == nil {
		return n.use()
	}
	n.retain()
	defer n.parent.release()
	if p, side, err = n.use(); err != nil {
		n.release()
	}
	return p, side, err
}

// leave ends the work on directories that were entered.
func (n *pairNode) leave() {
	n.done()
	n.release()
}

// A sideError says on which side directories could not be opened.
type sideError struct {
	side side
	err  error
}

func (e *sideError) Error() string { return e.err.Error() }

// Open opens the directories; see [walk.Dir].
func (n *pairNode) Open(in pair) (p pair, err error) {
	var side side
	if n.parent == nil {
		p, side, err = n.reopen()
	} else {
		p, side, err = n.pairs.openChild(in, n.name)
	}
	if err != nil {
		return pair{}, &sideError{side, err}
	}
	if err := n.verify(p); err != nil {
		p.close()
		return pair{}, &sideError{onDest, err}
	}
	return p, nil
}

// Close closes them.
func (n *pairNode) Close(p pair) { p.close() }

// verify makes sure, where links of the destination are followed, that a directory which is
// opened once more still is the one that it was: somebody may have put a link in its place.
func (n *pairNode) verify(p pair) error {
	if !n.pairs.followDest || p.dst == nil {
		return nil
	}
	attr, err := p.dst.Lstat(".")
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

// expect has verify want the directory to be id, where links are followed and id is known.
func (n *pairNode) expect(id vfs.ID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pairs.followDest && id != (vfs.ID{}) {
		n.destID = id
	}
}

// openChild opens the directory called name on both sides.
func (ps *pairs) openChild(p pair, name string) (child pair, side side, err error) {
	if p.src != nil {
		if child.src, err = source.OpenDir(p.src, name, ps.followSource); err != nil {
			return pair{}, onSource, err
		}
	}
	if p.dst == nil {
		return child, 0, nil
	}
	child.dst, err = source.OpenDir(p.dst, name, ps.followDest)
	if errors.Is(err, fs.ErrPermission) && ps.openUp {
		child.dst, child.closedMode, err = openClosed(p.dst, name)
		child.wasClosed = err == nil
	}
	if err != nil && !(ps.mayLack && lacking(err)) {
		child.close()
		return pair{}, onDest, err
	}
	return child, 0, nil
}

// lacking reports whether an error of opening a directory says that the
// destination has none, but perhaps something that a dry run left there.
func lacking(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// openClosed opens a directory of the destination that an earlier run has closed
// to its owner, as its source is, and returns the mode that it had.
func openClosed(dst vfs.Dir, name string) (vfs.Dir, fs.FileMode, error) {
	attr, err := dst.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	if err := dst.Chmod(name, attr.Mode|0o700); err != nil {
		return nil, 0, err
	}
	d, err := dst.OpenDir(name)
	if err != nil {
		return nil, 0, vfs.JoinErrors(err, dst.Chmod(name, attr.Mode))
	}
	return d, attr.Mode, nil
}

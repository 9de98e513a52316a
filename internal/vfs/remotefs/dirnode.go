package remotefs

import (
	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/files"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// A dirNode is a node that keeps its directory open.
type dirNode struct {
	*files.Node
	o *session.Directory
}

// Close implements [vfs.Node].
func (n dirNode) Close() error {
	n.o.Release()
	return nil
}

// Node implements [vfs.Dir].
func (d *Dir) Node(name string) (vfs.Node, error) { return dirNode{d.node(name), d.handle}, nil }

// node returns a node for an entry of d, or for d itself if name is ".".
func (d *Dir) node(name string) *files.Node {
	d.handle.Keep() // until the node is closed
	return &files.Node{
		Client: d.s, Name: name,
		Target: func() (wire.Target, func(), error) {
			t, done := d.target(name)
			return t, done, nil
		},
		Look:  func(vfs.StatxWant) (vfs.Attr, error) { return vfs.Lstat(d, name) },
		Extra: func() *vfs.Extra { return nil },
		Touch: func() {
			if name == "." {
				d.waitUntilAllMade() // making an entry changes the times of the directory
			}
			d.touch(name)
		},
	}
}

// Set implements [vfs.Dir], for all kinds of changes.
func (d *Dir) Set(name string, changes []vfs.Change) []error {
	n := dirNode{d.node(name), d.handle}
	defer vfs.CloseUnwritten(n)
	return n.Set(changes)
}

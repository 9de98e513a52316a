package retry

import (
	"sync"

	"psync/internal/vfs"
)

// A target is an open entry that is reopened after its directory was reopened.
type target[N vfs.Node] struct {
	dir  *dir
	name string
	open func(in vfs.Dir, name string) (N, error)
	same func(N) error // returns an error unless the reopened entry is still the same; nil: it always is

	mu    sync.Mutex // guards what follows
	in    vfs.Dir    // the directory it was last opened in; nil: not opened yet
	inner N
	stale []N // earlier values of inner, which calls may still use
}

// do makes a call, and repeats it after outages.
func (t *target[N]) do(f func(N) error) error {
	return t.dir.do(t.name, func(in vfs.Dir) error {
		inner, err := t.openIn(in)
		if err != nil {
			return err
		}
		return f(inner)
	})
}

// openIn returns the entry as opened in a directory, and opens it there if necessary.
func (t *target[N]) openIn(in vfs.Dir) (N, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.in == in {
		return t.inner, nil
	}
	fresh, err := t.open(in, t.name)
	if err != nil {
		return t.inner, err
	}
	if t.in != nil {
		if t.same != nil {
			if err := t.same(fresh); err != nil {
				vfs.CloseUnwritten(fresh)
				return t.inner, err
			}
		}
		t.stale = append(t.stale, t.inner)
	}
	t.in, t.inner = in, fresh
	return fresh, nil
}

func (t *target[N]) current() N {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inner
}

// Close closes the entry.
func (t *target[N]) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range t.stale {
		vfs.CloseUnwritten(n)
	}
	return t.inner.Close()
}

// A node is a [vfs.Node] that is not a file.
type node struct {
	handle[vfs.Node]
	target target[vfs.Node]
}

// Close implements [vfs.Node].
func (n *node) Close() error { return n.target.Close() }

// Node implements [vfs.Dir].
func (d *dir) Node(name string) (vfs.Node, error) {
	n := &node{target: target[vfs.Node]{dir: d, name: name, open: vfs.Dir.Node}}
	n.do = n.target.do
	if err := n.do(func(vfs.Node) error { return nil }); err != nil {
		return nil, err
	}
	return n, nil
}

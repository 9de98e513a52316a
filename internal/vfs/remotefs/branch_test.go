package remotefs

import (
	"io/fs"
	"testing"

	"psync/internal/wire"
)

// TestBytesAhead checks that bytes that will never be asked for are no longer counted.
func TestBytesAhead(t *testing.T) {
	dirs := []wire.Entry{listed("a", fs.ModeDir|0o755), listed("b", fs.ModeDir|0o755)}
	for name, during := range map[string]func(tr *tree, root, a *branch){
		"taken and closed while it comes": func(tr *tree, _, a *branch) { a.dropped = true; tr.dropBelow(a) },
		"all closed":                      func(tr *tree, root, _ *branch) { tr.dropBelow(root) },
		"the session ends":                func(tr *tree, root, _ *branch) { tr.dropBelow(root) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newHost(t).s
			tr := new(tree)
			root := newBranch()
			root.taken = true
			l := &lister{s: s, tree: tr, root: root, ahead: 1000, early: make(map[uint32]*wire.Listing), wait: map[string]*branch{"": root}}
			tr.promised = l.ahead
			l.receive(&wire.Listing{First: true, Last: true, Entries: dirs}, nil)
			if len(root.below) != 2 {
				t.Fatalf("%d directories below", len(root.below))
			}
			a, listed := tr.takeBelow(root, "a")
			if !listed {
				t.Fatal("not listed")
			}
			during(tr, root, a)
			if name == "the session ends" {
				l.receive(nil, fs.ErrClosed)
			} else {
				l.receive(&wire.Listing{Path: "a", Seq: 1, First: true, Last: true, Entries: dirs}, nil)
				l.receive(&wire.Listing{Path: "b", Seq: 2, First: true, Last: true, End: true}, nil)
			}
			tr.dropBelow(root)
			tr.dropBelow(a)
			if tr.ahead != 0 || tr.promised != 0 {
				t.Errorf("%d bytes ahead, %d promised", tr.ahead, tr.promised)
			}
			<-a.finished
		})
	}
}

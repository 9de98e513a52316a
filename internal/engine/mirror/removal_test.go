package mirror

import (
	"errors"
	"slices"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A testBase is a base that is always open.
type testBase struct {
	vfs.Dir
	released bool
}

func (b *testBase) Path() string          { return "base" }
func (b *testBase) Into() string          { return "" }
func (b *testBase) Use() (vfs.Dir, error) { return b.Dir, nil }
func (b *testBase) Done()                 {}
func (b *testBase) Release()              { b.released = true }

// A remover removes trees, one directory after another, and records what it removed. It does not remove a file called
// stays.
type remover struct {
	t    *testing.T
	gone []string
	done []string // paths of bases from which everything was removed
}

func (r *remover) remove(rm *Removal) bool {
	if rm.IsKept() {
		rm.Close()
		return false
	}
	dir, err := rm.UseParent()
	rm.Close()
	if err != nil {
		r.t.Error(err)
		return false
	}
	defer rm.Parent.Done()
	if err := dir.Rmdir(rm.Name); err != nil {
		r.t.Error(err)
		return false
	}
	r.gone = append(r.gone, rm.Path())
	return true
}

func (r *remover) stays(rm *Removal) {
	r.done = append(r.done, rm.Path())
	rm.Close()
}

func (r *remover) empty(rm *Removal) {
	dir, err := rm.Use()
	if err != nil {
		r.t.Fatal(err)
	}
	attr, err := vfs.Lstat(dir, ".")
	if err != nil {
		r.t.Fatal(err)
	}
	rm.id = attr.ID()
	var subs []*Removal
	err = dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			switch {
			case e.Type.IsDir():
				subs = append(subs, rm.Child(e.Name, 0))
			case e.Name == "stays":
				rm.Keep()
			default:
				err = errors.Join(err, dir.Remove(e.Name, nil))
			}
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	rm.Done()
	rm.Finish(r.remove, r.stays)
	for _, sub := range subs {
		r.empty(sub)
	}
}

func TestRemovals(t *testing.T) {
	tests := []struct {
		tree string
		gone []string // sorted
		rest string
	}{
		{"f 644 x\n", nil, ""},
		{"a/b/c/f 644 x\na/d/f 644 x\n", []string{"base/a", "base/a/b", "base/a/b/c", "base/a/d"}, ""},
		{"a/b/c/f 644 x\na/d/stays 644 x\n", []string{"base/a/b", "base/a/b/c"}, "a/ 755\na/d/ 755\na/d/stays 644 x\n"},
	}
	for _, limit := range []int{0, 1, 10} {
		for _, tt := range tests {
			fs := memfs.New()
			root := fs.Root()
			defer root.Close()
			fstest.Fill(t, root, tt.tree)
			open := fs.Open()
			rs := new(Removals)
			rs.Limit = limit
			base := &testBase{Dir: root}
			r := &remover{t: t}
			r.empty(rs.In(base, 0))
			slices.Sort(r.gone)
			if !slices.Equal(r.gone, tt.gone) {
				t.Errorf("%q: removed %q, want %q", tt.tree, r.gone, tt.gone)
			}
			if !slices.Equal(r.done, []string{"base"}) || !base.released {
				t.Errorf("%q: finished %q, released %v", tt.tree, r.done, base.released)
			}
			if rest := fstest.Tree(t, root); rest != tt.rest {
				t.Errorf("%q: %q is left, want %q", tt.tree, rest, tt.rest)
			}
			if now := fs.Open(); now != open {
				t.Errorf("%q: %d handles stay open", tt.tree, now-open)
			}
		}
	}
}

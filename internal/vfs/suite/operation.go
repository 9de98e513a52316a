package suite

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// test calls the operation with each of the kinds and checks the resulting tree.
func (o operation) test(t *testing.T, d vfs.Dir) {
	var in vfs.Dir // a eachKind, until something changes
	var before string
	for i, name := range kinds {
		want := o.want[i]
		if name == "." && want == '?' {
			continue
		}
		if in == nil {
			in = mkdir(t, d, "eachKind for "+name)
			fstest.Fill(t, in, eachKind)
			wantTree(t, in, eachKind)
			before = fstest.Tree(t, in, fstest.WithRoot, fstest.WithMtimes)
		}
		err := o.do(in, name)
		o.wantOutcome(t, err, name, want)
		after, changes := fstest.Tree(t, in, fstest.WithRoot, fstest.WithMtimes), err == nil && o.then != nil
		if after == before && (want != '.' || !changes) {
			continue
		}
		lines := strings.Split(eachKind, "\n")
		if changes {
			lines = o.then(lines, name)
		}
		got := strings.Split(fstest.Tree(t, in), "\n")
		slices.Sort(got)
		slices.Sort(lines)
		if !changes || !slices.Equal(got, lines) {
			t.Errorf("with %q, the tree was:\n%sbecomes:\n%swant:\n%q", name, before, after, lines)
		}
		in = nil
	}
}

// wantOutcome checks the error of calling the operation with a name.
func (o operation) wantOutcome(t *testing.T, err error, name string, want byte) {
	t.Helper()
	about := cmp.Or(o.about, name)
	switch {
	case want == '?':
	case want == '.' && o.needs != 0 && (errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission)):
		wantError(t, err, about)
	case want == '.':
		if err != nil {
			t.Errorf("with %q: %v", name, err)
		}
	case name == ".":
		_ = wantPathError(t, err, name)
	default:
		wantError(t, err, about, outcomes[want]...)
	}
}

// improper are strings that are not names.
var improper = []string{
	"", "..", "/", "empty/", "full/f", "full/new", "../b", "../c", "../new", "./file", "//", "file\x00b", "new\x00", "\x00",
}

// refuse calls the operation with strings that are not names.
func (o operation) refuse(t *testing.T, d vfs.Dir) {
	fstest.Fill(t, d, "b 644 precious\nc/\nsub/")
	sub := openDir(t, d, "sub")
	fstest.Fill(t, sub, eachKind)
	before := fstest.Tree(t, d, fstest.WithRoot, fstest.WithMtimes)
	for _, name := range improper {
		_ = wantPathError(t, o.do(sub, name), name)
	}
	wantTree(t, d, before, fstest.WithRoot, fstest.WithMtimes)
}

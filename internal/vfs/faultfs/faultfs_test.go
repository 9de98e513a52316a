package faultfs_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

var errFault = errors.New("fault")

func TestWithoutFaults(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return faultfs.New(memfs.New().TestRoot(t), nil) })
}

// newTree returns a Dir to try operations on, whose abilities are all that a Mem has.
func newTree(t testing.TB) vfs.Dir {
	d := memfs.NewMac(memfs.Mac{}).TestRoot(t)
	fstest.Fill(t, d, "file 644 @a=attribute @"+fork+"=fork contents\ndir/\nlink -> file")
	return d
}

// everything are the options that make Tree describe all it can.
var everything = []fstest.TreeOption{
	fstest.WithRoot, fstest.WithMtimes, fstest.WithBtimes, fstest.WithOwners,
	fstest.WithFlags, fstest.WithXattrs, fstest.WithLinks,
}

// failing wraps d and fails one operation.
func failing(d vfs.Dir, fail operation) vfs.Dir {
	return faultfs.New(d, func(op, name string) error {
		if op == fail.op && name == fail.name {
			return errFault
		}
		return nil
	})
}

func TestReturnsPathError(t *testing.T) {
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		err := tt.do(failing(newTree(t), tt))
		pe, ok := errors.AsType[*fs.PathError](err)
		if !ok || pe.Op != tt.op || pe.Path != tt.name || pe.Err != errFault {
			t.Errorf("error %#v, want a PathError of %s %s: %v", err, tt.op, tt.name, errFault)
		}
	}
}

func TestDoesNotDoWhatFails(t *testing.T) {
	for _, tt := range dirOperations {
		inner := newTree(t)
		before := fstest.Tree(t, inner, everything...)
		if tt.do(failing(inner, tt)) == nil {
			t.Errorf("%s did not fail", tt.op)
		}
		if after := fstest.Tree(t, inner, everything...); after != before {
			t.Errorf("%s:\nbefore:\n%safter:\n%s", tt.op, before, after)
		}
	}
}

func TestAnnouncesEachOperation(t *testing.T) {
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		var calls []string
		d := faultfs.New(newTree(t), func(op, name string) error {
			calls = append(calls, op+" "+name)
			return nil
		})
		must(t, tt.do(d))
		if !slices.Contains(calls, tt.op+" "+tt.name) {
			t.Errorf("%s %s was not announced, but %q", tt.op, tt.name, calls)
		}
	}
}

func TestWritesHalf(t *testing.T) {
	inner := memfs.New().TestRoot(t)
	fail := faultfs.Nth(2, errFault)
	d := faultfs.New(inner, fail.Before)
	f, err := d.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	n, err := f.WriteAt([]byte("12345678"), 0)
	if n != 4 || !errors.Is(err, errFault) {
		t.Errorf("WriteAt = %d, %v; want 4, %v", n, err, errFault)
	}
	must(t, f.Close())
	if got, want := fstest.Tree(t, inner), "f 644 1234\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNth(t *testing.T) {
	fail := faultfs.Nth(3, errFault)
	d := faultfs.New(memfs.New().TestRoot(t), fail.Before)
	must(t, vfs.Mkdir(d, "a", 0o755))
	_, err := vfs.Lstat(d, "a")
	must(t, err)
	must(t, vfs.Mkdir(d, "b", 0o755))
	if !fail.Pending() || fail.String() != "nothing failed" {
		t.Errorf("after two changes: pending %v, %v", fail.Pending(), fail)
	}
	if err := d.Rename("a", nil, "c", nil); !errors.Is(err, errFault) {
		t.Errorf("the third change: %v, want %v", err, errFault)
	}
	must(t, d.Rename("a", nil, "c", nil))
	if fail.Pending() || fail.String() != `rename "c"` {
		t.Errorf("after the third change: pending %v, %v", fail.Pending(), fail)
	}
}

func TestChanging(t *testing.T) {
	reading := []string{
		"lstat", "readdir", "opendir", "open", "readlink", "close", "rclose", "stat", "read", "followdir", "followfile",
		"node", "nclose", "flags", "xattrs", "xattr", "xattrsize", "readxattr",
	}
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		if got, want := faultfs.Changing(tt.op), !slices.Contains(reading, tt.op); got != want {
			t.Errorf("Changing(%q) = %v, want %v", tt.op, got, want)
		}
	}
}

// volume is a Dir with the optional abilities of one.
type volume struct{ vfs.Dir }

func (volume) HasDefaultACL() bool         { return true }
func (volume) Statfs() (vfs.Volume, error) { return vfs.Volume{Network: true}, nil }

func TestWrapperForwardsDirAbilities(t *testing.T) {
	plain := faultfs.New(memfs.New().TestRoot(t), nil)
	able := faultfs.New(volume{memfs.New().TestRoot(t)}, nil)
	if plain.HasDefaultACL() || !able.HasDefaultACL() {
		t.Error("HasDefaultACL is not that of the inner Dir")
	}
	if _, err := plain.Statfs(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Statfs of a Dir without: %v, want %v", err, errors.ErrUnsupported)
	}
	if v, err := able.Statfs(); err != nil || !v.Network {
		t.Errorf("Statfs = %+v, %v", v, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

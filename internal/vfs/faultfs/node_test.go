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

type plainFile struct{ vfs.File }

func (plainFile) Caps() vfs.Caps { return 0 }

// TestWrapperHasNoMoreThanTheInnerDir tries what a wrapper seems to be able to do
// whatever is within.
func TestWrapperHasNoMoreThanTheInnerDir(t *testing.T) {
	var calls []string
	hook := func(op, _ string) error {
		calls = append(calls, op)
		return nil
	}
	d := faultfs.New(faultfs.Without(memfs.New().TestRoot(t), vfs.CanNode|vfs.CanCloneFile|vfs.CanMknod), hook)
	_, nodeErr := d.Node(".")
	_, cloneErr := d.CloneFile(nil, "new", true)
	mknodErr := vfs.Mknod(d, "new", fs.ModeNamedPipe, 0)

	f, err := faultfs.New(created{file: plainFile{}}, hook).OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	_, flagsErr := f.Flags()
	_, xattrsErr := f.Xattrs(true)
	_, xattrErr := f.Xattr("a")
	for op, err := range map[string]error{
		"Node": nodeErr, "CloneFile": cloneErr, "Mknod": mknodErr,
		"SetBtime": vfs.SetBtime(f, long), "Flags": flagsErr, "SetFlags": vfs.SetFlags(f, 0),
		"Xattrs": xattrsErr, "Xattr": xattrErr, "SetXattr": vfs.SetXattr(f, "a", nil), "RemoveXattr": vfs.RemoveXattr(f, "a"),
	} {
		if _, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v, want a PathError of %v", op, err, errors.ErrUnsupported)
		}
	}
	if want := []string{"create"}; !slices.Equal(calls, want) {
		t.Errorf("the hook was called for %q, want %q", calls, want)
	}
}

func TestWrapperOfAMac(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir {
		return faultfs.NewLatency(faultfs.New(memfs.NewMac(memfs.Mac{}).TestRoot(t), nil), 0)
	})
}

func TestWrapperClonesWhatIsWrapped(t *testing.T) {
	m := memfs.NewMac(memfs.Mac{})
	d := faultfs.NewLatency(faultfs.New(m.TestRoot(t), nil), 0)
	fstest.Fill(t, d, "file 644 contents")
	must(t, cloneFile(d))
	if got, want := fstest.Tree(t, d), "file 644 contents\nnew 644 contents\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestWritesHalfAFork(t *testing.T) {
	inner := memfs.NewMac(memfs.Mac{}).TestRoot(t)
	d := faultfs.New(inner, faultfs.Nth(2, errFault).Before)
	f, err := d.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	if err := vfs.WriteXattrAt(f, fork, []byte("12345678"), 0); !errors.Is(err, errFault) {
		t.Errorf("WriteXattrAt = %v, want %v", err, errFault)
	}
	must(t, f.Close())
	if got, want := fstest.Tree(t, inner, fstest.WithXattrs), "f 644 @"+fork+"=1234\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// puncher counts holes.
type puncher struct {
	vfs.File
	n *int
}

func (puncher) Caps() vfs.Caps                                    { return 0 }
func (p puncher) Fallocate(vfs.FallocateMode, int64, int64) error { *p.n++; return nil }

func TestWrapperForwardsHoles(t *testing.T) {
	var n int
	fail := false
	w, err := faultfs.New(created{file: puncher{n: &n}}, func(op, _ string) error {
		if fail {
			return errFault
		}
		return nil
	}).OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	must(t, w.Fallocate(vfs.PunchHole, 0, 1))
	fail = true
	if err := w.Fallocate(vfs.PunchHole, 0, 1); !errors.Is(err, errFault) || n != 1 {
		t.Errorf("PunchHole: %v, %d holes; want %v and 1", err, n, errFault)
	}
	if !faultfs.Changing("punchhole") {
		t.Error("a hole is no change")
	}
}

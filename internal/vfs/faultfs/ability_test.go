package faultfs_test

import (
	"errors"
	"io"
	"io/fs"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

// able is a Dir whose files have all abilities.
type able struct{ vfs.Dir }

// Unwrap is for what needs to know both directories.
func (d able) Unwrap() vfs.Dir { return d.Dir }

func (d able) Caps() vfs.Caps {
	return d.Dir.Caps() | vfs.CanClone | vfs.CanCopyRange
}

func newAble(t testing.TB) vfs.Dir { return able{memfs.New().TestRoot(t)} }

func (d able) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return able{sub}, nil
}

func (d able) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if err != nil {
		return nil, err
	}
	return ableFile{f}, nil
}

type ableFile struct{ vfs.File }

func (f ableFile) Caps() vfs.Caps {
	return f.File.Caps() | vfs.CanClone | vfs.CanCopyRange
}

func (f ableFile) Clone(src vfs.File) error {
	if _, ok := vfs.As[ableFile](src); !ok {
		return errors.ErrUnsupported
	}
	_, err := io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(src, 0, 1<<62))
	return err
}

func (f ableFile) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if _, ok := vfs.As[ableFile](src); !ok {
		return 0, errors.ErrUnsupported
	}
	return io.Copy(io.NewOffsetWriter(f, off), io.NewSectionReader(src, off, min(n, 100_000)))
}

func (f ableFile) NextData(off int64) (start, end int64, err error) {
	a, err := vfs.Stat(f)
	if err == nil && off >= a.Size {
		err = io.EOF
	}
	return off, a.Size, err
}

func TestAble(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return newAble(t) })
}

func TestWrappedAble(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir {
		return faultfs.NewLatency(faultfs.New(newAble(t), nil), 0)
	})
}

// created is a Dir whose OpenFile returns a given File.
type created struct {
	vfs.Dir
	file vfs.File
}

func (created) Caps() vfs.Caps { return 0 }

func (d created) OpenFile(string, vfs.OpenMode, fs.FileMode) (vfs.File, error) { return d.file, nil }

func TestWrapperHasTheCapsOfTheInnerFile(t *testing.T) {
	inner, err := memfs.New().TestRoot(t).OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	f := ableFile{inner}
	w, err := faultfs.New(created{file: f}, nil).OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	if got, want := w.Caps(), f.Caps(); got != want {
		t.Errorf("Caps() = %b, want %b", got, want)
	}
	if got := w.(interface{ Unwrap() vfs.File }).Unwrap(); got != f {
		t.Errorf("Unwrap() = %v, want %v", got, f)
	}
	must(t, w.Close())
}

func TestFailsAbilities(t *testing.T) {
	d := faultfs.New(newAble(t), func(op, _ string) error {
		switch op {
		case "clone", "copyrange", "nextdata":
			return errFault
		}
		return nil
	})
	f, err := d.OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	cloneErr := f.Clone(f)
	_, copyErr := f.CopyRange(f, 0, 1)
	_, _, dataErr := f.NextData(0)
	for op, err := range map[string]error{"clone": cloneErr, "copyrange": copyErr, "nextdata": dataErr} {
		if !errors.Is(err, errFault) {
			t.Errorf("%s: %v, want %v", op, err, errFault)
		}
	}
	must(t, f.Close())
}

// advised counts hints.
type advised struct {
	vfs.File
	n *int
}

func (advised) Caps() vfs.Caps            { return 0 }
func (a advised) Advise(vfs.Advice) error { *a.n++; return nil }

func TestWrapperForwardsAdvice(t *testing.T) {
	var n int
	w, err := faultfs.New(created{file: advised{n: &n}}, nil).OpenFile("f", vfs.Create, 0o644)
	must(t, err)
	must(t, w.Advise(vfs.Sequential))
	if n != 1 {
		t.Errorf("the file was advised %d times, want once", n)
	}
}

package vfstest_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

// able is a Dir whose files have all abilities.
type able struct{ nodeDir }

// nodeDir is what a Mem's directories are, or a part of it.
type nodeDir interface {
	vfs.Dir
	vfs.NodeDir
	vfs.Mknoder
}

func newAble(t testing.TB) vfs.Dir { return able{newRoot(t).(nodeDir)} }

func (d able) OpenDir(name string) (vfs.Dir, error) {
	sub, err := d.nodeDir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return able{sub.(nodeDir)}, nil
}

func (d able) Open(name string) (vfs.File, error) { return ableOf(d.nodeDir.Open(name)) }

func (d able) Create(name string, perm fs.FileMode) (vfs.File, error) {
	return ableOf(d.nodeDir.Create(name, perm))
}

func ableOf(f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return ableFile{f.(nodeFile)}, nil
}

type ableFile struct{ nodeFile }

// nodeFile is what a Mem's files are.
type nodeFile interface {
	vfs.File
	vfs.Node
}

func (f ableFile) Clone(src vfs.File) error {
	if _, ok := src.(ableFile); !ok {
		return errors.ErrUnsupported
	}
	_, err := io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(src, 0, 1<<62))
	return err
}

func (f ableFile) CopyRange(src vfs.File, off, n int64) (int64, error) {
	if _, ok := src.(ableFile); !ok {
		return 0, errors.ErrUnsupported
	}
	return io.Copy(io.NewOffsetWriter(f, off), io.NewSectionReader(src, off, min(n, 100_000)))
}

func (f ableFile) NextData(off int64) (start, end int64, err error) {
	a, err := f.Stat()
	if err == nil && off >= a.Size {
		err = io.EOF
	}
	return off, a.Size, err
}

func TestAble(t *testing.T) {
	vfstest.TestDir(t, func(t testing.TB) vfs.Dir { return newAble(t) })
}

func TestWrappedAble(t *testing.T) {
	vfstest.TestDir(t, func(t testing.TB) vfs.Dir {
		return vfstest.NewLatency(vfstest.NewFaulty(newAble(t), nil), 0)
	})
}

// created is a Dir whose Create returns a given File.
type created struct {
	vfs.Dir
	file vfs.File
}

func (d created) Create(string, fs.FileMode) (vfs.File, error) { return d.file, nil }

func TestWrapperForwardsFileAbilities(t *testing.T) {
	type (
		plain   = vfs.File
		cloner  = vfs.Cloner
		copier  = vfs.RangeCopier
		extents = vfs.DataSeeker
	)
	var f ableFile
	for want, file := range map[string]vfs.File{
		"false false false": struct{ plain }{f},
		"true false false": struct {
			plain
			cloner
		}{f, f},
		"false true false": struct {
			plain
			copier
		}{f, f},
		"false false true": struct {
			plain
			extents
		}{f, f},
		"true true false": struct {
			plain
			cloner
			copier
		}{f, f, f},
		"true false true": struct {
			plain
			cloner
			extents
		}{f, f, f},
		"false true true": struct {
			plain
			copier
			extents
		}{f, f, f},
		"true true true": f,
	} {
		w, err := vfstest.NewFaulty(created{file: file}, nil).Create("f", 0o644)
		must(t, err)
		_, clones := w.(vfs.Cloner)
		_, copies := w.(vfs.RangeCopier)
		_, maps := w.(vfs.DataSeeker)
		if got := fmt.Sprint(clones, copies, maps); got != want {
			t.Errorf("the wrapper can clone, copy ranges, find data: %s; want %s", got, want)
		}
		if got := w.(interface{ Unwrap() vfs.File }).Unwrap(); got != file {
			t.Errorf("Unwrap() = %v, want %v", got, file)
		}
	}
}

func TestFaultyFailsAbilities(t *testing.T) {
	d := closeLater(t, vfstest.NewFaulty(newAble(t), func(op, _ string) error {
		switch op {
		case "clone", "copyrange", "nextdata":
			return errFault
		}
		return nil
	}))
	f, err := d.Create("f", 0o644)
	must(t, err)
	cloneErr := f.(vfs.Cloner).Clone(f)
	_, copyErr := f.(vfs.RangeCopier).CopyRange(f, 0, 1)
	_, _, dataErr := f.(vfs.DataSeeker).NextData(0)
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

func (a advised) AdviseSequential() { *a.n++ }
func (a advised) BypassCache()      { *a.n++ }

func TestWrapperForwardsAdvice(t *testing.T) {
	var n int
	w, err := vfstest.NewFaulty(created{file: advised{n: &n}}, nil).Create("f", 0o644)
	must(t, err)
	w.(vfs.ReadAdviser).AdviseSequential()
	w.(vfs.CacheBypasser).BypassCache()
	if n != 2 {
		t.Errorf("the file was advised %d times, want twice", n)
	}
}

package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// fails returns a hook that fails operations named "op name".
func fails(errs map[string]error) func(op, name string) error {
	return func(op, name string) error { return errs[op+" "+name] }
}

func TestInterruptedRunClosesDirectoriesAgain(t *testing.T) {
	for n := 1; ; n++ {
		b := newTestbed(t, "d/ 755\nd/f 644 x\nd/sub/f 644 x\n", "d/ 555\nd/sub/ 500\n")
		b.job.Threads = 1
		fault := faultfs.Nth(n, syscall.ENOSPC)
		b.job.Dest = faultfs.New(b.job.Dest, fault.Before)
		_ = b.run(t.Context())
		if fault.Pending() {
			return
		}
		if strings.Contains(fault.String(), "chmod") {
			continue // the failed operation is a close
		}
		_, dst := b.trees(t)
		if !strings.Contains(dst, "d/ 555\n") || !strings.Contains(dst, "d/sub/ 500\n") {
			t.Errorf("%v: directories stay open:\n%s", fault, dst)
		}
	}
}

func TestLeftoverThatCannotBeRemovedIsReported(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "")
	b.job.Sources[0].Dir = faultfs.Inject(b.job.Sources[0].Dir, `(op read, path "f", err EIO)`)
	b.job.Dest = faultfs.Inject(b.job.Dest, "(op remove, err EACCES)")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(b.record.events) != 1 {
		t.Fatalf("events %v, want one", b.record.events)
	}
	if err := b.record.events[0].Err; !errors.Is(err, syscall.EIO) || !errors.Is(err, syscall.EACCES) {
		t.Errorf("reported %v, want both errors", err)
	}
}

func TestAttributesOfALinkThatIsThereAreReported(t *testing.T) {
	b := newTestbed(t, "l @2001-01-01T00:00:00Z -> target\n", "l @2002-01-01T00:00:00Z -> target\n")
	b.job.Dest = faultfs.Inject(b.job.Dest, `(op chtimes, path "l", err EIO)`)
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.record.lines(report.Fail); !slices.Equal(got, []string{"fail DST/l"}) {
		t.Errorf("reported %q, want the link", got)
	}
}

func TestEmptyDirectoryStaysIfNothingTakesItsPlace(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "f/ 755\n")
	b.job.Sources[0].Dir = faultfs.Inject(b.job.Sources[0].Dir, `(op read, path "f", err EIO)`)
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, dst := b.trees(t); dst != "f/ 755\n" {
		t.Errorf("destination:\n%s\nwant the directory as it was", dst)
	}
}

// TestModesOfDirectoriesDoNotNeedTheSource removes the source before the end.
func TestModesOfDirectoriesDoNotNeedTheSource(t *testing.T) {
	b := newTestbed(t, "./ 555\nd/ 555\nd/sub/f 644 x\n", "")
	gone := false
	b.job.Threads = 1
	b.job.Keep = metadata.Keep{}
	b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
		if gone && op != "close" && op != "rclose" {
			return fs.ErrNotExist
		}
		gone = gone || op == "rclose" // after the only file
		return nil
	})
	b.mustRun(t)
	_, dst := b.trees(t, fstest.WithRoot)
	if !strings.HasPrefix(dst, "./ 555\nd/ 555\n") {
		t.Errorf("destination:\n%s", dst)
	}
}

func TestFullVolumeBelowTheDestinationIsNoReasonToStop(t *testing.T) {
	b := newTestbed(t, "a/f 644 x\nb/f 644 x\n", "")
	b.job.Dest = mounted{b.job.Dest, "a"}
	if err := b.run(t.Context()); err != nil {
		t.Fatalf("Run = %v, want nil", err)
	}
	if got := b.record.lines(report.Fail, report.Copy); !slices.Equal(got, []string{"copy b/f", "fail DST/a/f"}) {
		t.Errorf("reported %q", got)
	}
}

// mounted is a directory in which another, full file system is mounted.
type mounted struct {
	vfs.Dir
	name string
}

func (m mounted) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	d, err := m.Dir.OpenDir(name, how)
	if err == nil && name == m.name {
		d = full{d}
	}
	return d, err
}

type full struct{ vfs.Dir }

func (f full) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	attr, err := f.Dir.Statx(name, want)
	attr.Dev += 1 << 40
	return attr, err
}

func (f full) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if mode != vfs.Create {
		return f.Dir.OpenFile(name, mode, perm)
	}
	return nil, &fs.PathError{Op: "create", Path: name, Err: syscall.ENOSPC}
}

package engine

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// another returns a run like b over the same trees, in another process.
func (b *testbed) another() *testbed {
	o := *b
	changeProcess(&o.job, func(p *tempname.Process) { p.PID++ })
	o.job.DestIsNew = false
	return &o
}

// TestFailureLeavesWhatAnotherRunHasCopied lets a second run start and end right before an operation of the first one
// that fails, or during which the first run is interrupted.
func TestFailureLeavesWhatAnotherRunHasCopied(t *testing.T) {
	const tree = `
		n/f 640 @2001-01-01T00:00:00Z "contents"*100000
		n/empty 644 @2001-01-01T00:00:00Z
		n/l @2001-01-01T00:00:00Z -> f
		n/pipe 600 @2001-01-01T00:00:00Z (fifo)
		n/ 755 @2002-01-01T00:00:00Z
	`
	tests := []struct {
		at     string // the operation and the name
		source bool   // it is an operation on the source
	}{
		{"read f", true},
		{"stat f", true}, // the last of them, or the first
		{"write f", false},
		{"fchtimes f", false},
		{"fclose f", false},
		{"fclose empty", false},
		{"chtimes f", false}, // on a network file system
		{"chtimes l", false},
		{"chtimes pipe", false},
	}
	for _, tt := range tests {
		for _, far := range []bool{false, true} {
			for _, err := range []error{syscall.EIO, nil} {
				name := tt.at
				if far {
					name += ", far"
				}
				if err == nil {
					name += ", interrupted"
				}
				t.Run(name, func(t *testing.T) { comesIn(t, tree, tt.at, tt.source, far, err) })
			}
		}
	}
}

// comesIn runs a sync and, at the operation at, a second sync within it. The operation then fails with err or, if err
// is nil, the first run is interrupted.
func comesIn(t *testing.T, tree, at string, onSource, far bool, err error) {
	b := newSync(t, tree, "")
	b.job.Threads = 1
	b.job.Policy.Specials = true
	if far {
		b.job.Dest = onVolume(b.job.Dest, vfs.Volume{Network: true})
	}
	second := b.another()
	ctx, interrupt := context.WithCancelCause(t.Context())
	reached := false
	hook := func(op, name string) error {
		if reached || !matches(at, op, name) {
			return nil
		}
		reached = true
		second.mustRun(t)
		if err == nil {
			interrupt(errors.New("interrupted"))
		}
		return err
	}
	if onSource {
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, hook)
	} else {
		b.job.Dest = faultfs.New(b.job.Dest, hook)
	}
	_ = b.run(ctx)
	if !reached {
		t.Skip("no such operation")
	}
	// What the second run reported exists, and nothing else.
	b.wantContents(t)
	last := second.another()
	last.mustRun(t)
	last.wantEqual(t)
	if err != nil && b.record.lines(report.Fail, report.Unkept) == nil {
		t.Error("the failure was not reported")
	}
}

// matches reports whether an operation is the one called at. A temporary stands for the fifo, which is made under a
// temporary name.
func matches(at, op, name string) bool {
	return at == op+" "+name || at == op+" pipe" && strings.HasPrefix(name, tempPrefix)
}

// wantContents checks that the destination has all entries of the source with their contents, but not their times.
func (b *testbed) wantContents(t *testing.T) {
	t.Helper()
	if src, dst := b.trees(t); src != dst {
		t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
	}
}

// TestPartialIsPutBackIfItIsNotOurs lets a run replace a file between the two looks that another run takes at it
// before removing what it could not complete.
func TestPartialIsPutBackIfItIsNotOurs(t *testing.T) {
	shareAll(t, false) // otherwise the file has another name until it is complete
	for _, replaced := range []bool{false, true} {
		b := newSync(t, "f 644 @2001-01-01T00:00:00Z contents\n", "")
		b.job.Threads = 1
		second := b.another()
		var hook func(op, name string) error
		b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error { return hook(op, name) })
		hook = func(op, name string) error {
			switch {
			case op == "write":
				return syscall.EIO
			case op == "rename":
				second.mustRun(t) // after the first look, and before the second one
			case op == "link" && replaced:
				if err := vfs.Symlink(second.job.Dest, "elsewhere", "f"); err != nil {
					t.Fatal(err)
				}
			}
			return nil
		}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.record.lines(report.Fail); len(got) != 1 {
			t.Errorf("reported %q", got)
		}
		want := "f 644 contents\n"
		if replaced {
			want = "f -> elsewhere\n"
		}
		if _, dst := b.trees(t); dst != want {
			t.Errorf("destination:\n%s\nwant:\n%s", dst, want)
		}
	}
}

// TestPartialStaysIfItsMakerIsUnknown makes the second of these looks fail: another run's copy must not be removed,
// and what may be partial must not look current.
func TestPartialStaysIfItsMakerIsUnknown(t *testing.T) {
	shareAll(t, false)
	for _, another := range []bool{false, true} {
		b := newSync(t, "f 644 @2001-01-01T00:00:00Z contents\n", "")
		b.job.Threads = 1
		dest, second := b.job.Dest, b.another()
		b.job.Dest = faultfs.New(dest, func(op, name string) error {
			switch {
			case op == "write":
				return syscall.EIO
			case op == "rename" && another:
				second.mustRun(t)
			case op == "lstat" && strings.HasPrefix(name, tempPrefix):
				return syscall.ETIMEDOUT
			}
			return nil
		})
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := "f 644 @1970-01-01T00:00:00Z cont" // half of it was written
		if another {
			want += "ents"
		}
		root := b.dst.Root()
		defer root.Close()
		if got := fstest.Tree(t, root, fstest.WithMtimes); strings.TrimSpace(got) != want {
			t.Errorf("another run %v: destination:\n%s\nwant:\n%s", another, got, want)
		}
		b.job.Dest = dest
		b.mustRun(t)
		b.wantSame(t)
	}
}

// TestTimesAreSetOnOurFileOnly lets another run copy a newer file after the contents of an old one have arrived and
// before that gets its times.
func TestTimesAreSetOnOurFileOnly(t *testing.T) {
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z old\n", "")
	b.job.Threads = 1
	b.job.Dest = identified{onVolume(b.job.Dest, vfs.Volume{Network: true}).(located)}
	second := b.another()
	b.job.Dest = identified{onVolume(faultfs.New(b.job.Dest, func(op, name string) error {
		if op == "fclose" && name == "f" {
			if err := b.job.Sources[0].Dir.Remove("f", nil); err != nil {
				t.Fatal(err)
			}
			fstest.Fill(t, b.job.Sources[0].Dir, "f 644 @2003-01-01T00:00:00Z newer\n")
			second.mustRun(t)
		}
		return nil
	}), vfs.Volume{Network: true}).(located)}
	b.mustRun(t)
	if src, dst := b.trees(t, fstest.WithMtimes); src != dst {
		t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
	}
}

// identified is a directory that reports the identities of its entries.
type identified struct{ located }

func (i identified) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		want = vfs.StatxAll
	}
	return i.located.Statx(name, want)
}

package engine

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestRemovalsAskTheSourceOnceMore stops a run before it removes an entry until the source has got other entries and
// another run has copied those, if the tree allows that.
func TestRemovalsAskTheSourceOnceMore(t *testing.T) {
	tests := []struct {
		name     string
		src, dst string
		at       string // the operation of the destination to stop before
		gone     string // names that the source loses in the meantime
		comes    string // what the source gets
		want     string // contents of the destination at the end
		set      func(*testbed)
	}{
		{
			name: "files", src: "f 644 x\n", dst: "g1 644 old\ng2 644 old\ng3 644 old\n",
			at: "remove g3", comes: "g1 644 new\n",
			want: "f 644 x\ng1 644 new\n",
		},
		{
			name: "files, limited", src: "f 644 x\n", dst: "g1 644 old\ng2 644 old\ng3 644 old\n",
			at: "remove g3", comes: "g1 644 new\n",
			want: "f 644 x\ng1 644 new\n",
			set:  func(b *testbed) { b.job.Delete.Max = &plan.Limit{N: 10} },
		},
		{
			name: "a directory", src: "f 644 x\n", dst: "gone/f1 644 old\ngone/f2 644 old\ngone/sub/h 644 old\n",
			at: "remove f2", comes: "gone/f1 644 new\n",
			want: "f 644 x\ngone/ 755\ngone/f1 644 new\ngone/sub/ 755\ngone/sub/h 644 old\n",
		},
		{
			name: "below a directory", src: "up/f 644 x\n", dst: "up/gone/f1 644 old\nup/gone/f2 644 old\n",
			at: "remove f2", comes: "up/gone/f1 644 new\n",
			want: "up/ 755\nup/f 644 x\nup/gone/ 755\nup/gone/f1 644 new\n",
		},
		{
			name: "in a directory that is made anew", src: "p/f 644 x\n", dst: "p/g1 644 old\np/g2 644 old\n",
			at: "remove g2", gone: "p", comes: "p/f 644 x\np/g1 644 new\n",
			want: "p/ 755\np/f 644 x\np/g1 644 new\n",
		},
		{
			name: "a directory, limited", src: "f 644 x\n", dst: "gone/f1 644 old\ngone/f2 644 old\n",
			at: "remove f2", comes: "gone/f1 644 new\n",
			want: "f 644 x\ngone/ 755\ngone/f1 644 new\n",
			set:  func(b *testbed) { b.job.Delete.Max = &plan.Limit{N: 10} },
		},
		{
			name: "of --files-from", src: "f 644 x\n", dst: "g1 644 old\ng2 644 old\n",
			at: "remove g2", comes: "g1 644 new\n",
			want: "f 644 x\ng1 644 new\n",
			set:  func(b *testbed) { b.job.Files = everything{} },
		},
		{
			name: "excluded", src: "f 644 x\n", dst: "g1 644 old\ng2 644 old\n",
			at: "remove g2", comes: "g1 644 new\n",
			want: "f 644 x\n",
			set:  func(b *testbed) { b.job.Rules = paths{hidden: []string{"g1"}} },
		},
		{
			name: "nothing but directories", src: "f 644 x\n", dst: "g/f 644 old\nh/f 644 old\n",
			at: "opendir h", comes: "g/sub/ 755\n",
			want: "f 644 x\n",
			set:  func(b *testbed) { b.job.Prune = true },
		},
		{
			name: "in the way of a file", src: "x 644 file\n", dst: "x/f1 644 old\nx/f2 644 old\n",
			at: "remove f2", gone: "x", comes: "x/f1 644 new\n",
			want: "x/ 755\nx/f1 644 new\n",
		},
		{
			name: "in the way of a directory", src: "x/f 644 x\n", dst: "x 644 old\n",
			at: "mkdir", gone: "x/f x/", comes: "x 644 new\n",
			want: "x 644 new\n",
		},
		{
			name: "in other letters", src: "f 644 x\n", dst: "G1 644 old\nG2 644 old\n",
			at: "remove G2", comes: "g1 644 new\n",
			want: "G1 644 new\nf 644 x\n",
			set: func(b *testbed) {
				b.job.Dest = onVolume(b.job.Dest, vfs.Volume{Folds: true})
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, tt.src, "")
			if tt.name == "in other letters" {
				b.dst = memfs.NewFolding()
				b.job.Dest = b.dst.Root()
				t.Cleanup(func() { b.job.Dest.Close() })
			}
			if !strings.HasPrefix(tt.name, "in the way") {
				fstest.Fill(t, b.job.Dest, tt.src)
			}
			fstest.Fill(t, b.job.Dest, tt.dst)
			b.job.Threads = 1
			if tt.set != nil {
				tt.set(b)
			}
			second := b.another()
			second.job.Delete = plan.Delete{}
			src, reached := b.job.Sources[0].Dir, false
			b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
				if reached || tt.at != op+" "+name && tt.at != op {
					return nil
				}
				reached = true
				for name := range strings.FieldsSeq(tt.gone) {
					removeAll(t, src, name)
				}
				fstest.Fill(t, src, tt.comes)
				if err := second.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !reached {
				t.Fatalf("there is no %s", tt.at)
			}
			b.wantTree(t, tt.want)
		})
	}
}

// everything is a list that names everything.
type everything struct{}

func (everything) Names(string) ([]string, bool) { return nil, true }
func (everything) Listed(string) bool            { return true }

func (everything) Follows(string) bool { return false }

// removeAll removes an entry, if it exists, with its contents. A path may have one slash.
func removeAll(t testing.TB, dir vfs.Dir, path string) {
	t.Helper()
	if up, name, ok := strings.Cut(path, "/"); ok && name != "" {
		sub, err := dir.OpenDir(up, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		removeAll(t, sub, name)
		return
	}
	path = strings.TrimSuffix(path, "/")
	attr, err := vfs.Lstat(dir, path)
	switch {
	case err != nil:
		return
	case !attr.Mode.IsDir():
		err = dir.Remove(path, nil)
	default:
		var sub vfs.Dir
		if sub, err = dir.OpenDir(path, vfs.NoFollow); err != nil {
			break
		}
		defer sub.Close()
		var below []string
		err = sub.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				below = append(below, e.Name)
			}
			return nil
		})
		for _, name := range below {
			removeAll(t, sub, name)
		}
		if err == nil {
			err = dir.Rmdir(path)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsRemovedIfTheSourceCannotBeLookedAt fails lookups of names that the source lacks.
func TestNothingIsRemovedIfTheSourceCannotBeLookedAt(t *testing.T) {
	for _, max := range []*plan.Limit{nil, {N: 100}} {
		b := newMirror(t, "d/f 644 x\n", "d/f 644 x\nd/g1 644 old\nd/g2 644 old\nd/gone/a 644 old\nd/gone/b/c 644 old\n")
		b.job.Delete.Max = max
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
			if op == "lstat" && strings.HasPrefix(name, "g") {
				return syscall.EIO
			}
			return nil
		})
		_, before := b.trees(t)
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, dst := b.trees(t); dst != before {
			t.Errorf("destination:\n%s\nwant:\n%s", dst, before)
		}
		b.wantEvents(t, []string{"fail SRC/d/g1", "fail SRC/d/g2", "fail SRC/d/gone"}, report.Fail, report.Delete)
	}
}

// TestSourceIsAskedOnlyAboutRemovals counts the lookups in the source of a mirror that has nothing to remove, and of one that
// has.
func TestSourceIsAskedOnlyAboutRemovals(t *testing.T) {
	for _, n := range []int{0, 1, 50} {
		var dst strings.Builder
		dst.WriteString("./ 755 @2001-01-01T00:00:00Z\nf 644 @2001-01-01T00:00:00Z x\n")
		for i := range n {
			fmt.Fprintf(&dst, "gone/%d 644 old\n", i)
		}
		b := newMirror(t, "./ 755 @2001-01-01T00:00:00Z\nf 644 @2001-01-01T00:00:00Z x\n", dst.String())
		asked := 0
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
			if op == "lstat" && name == "gone" {
				asked++
			}
			return nil
		})
		b.job.Threads = 1
		b.mustRun(t)
		want := n + 1 // including the directory itself
		if n == 0 {
			want = 0
		}
		if asked != want {
			t.Errorf("%d entries: asked %d times, want %d", n, asked, want)
		}
	}
}

// TestInterruptedRemovalsLookAtNothing ends a run while directories wait to be removed.
func TestInterruptedRemovalsLookAtNothing(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "f 644 x\ngone/a/f 644 old\ngone/b/f 644 old\n")
	ctx, interrupt := context.WithCancel(t.Context())
	open := b.src.Open()
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "remove" {
			interrupt()
		}
		return nil
	})
	_ = b.run(ctx)
	if now := b.src.Open(); now != open {
		t.Errorf("%d handles of the source stay open", now-open)
	}
}

package engine

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// copyUpDuring makes an operation of the run copy an entry of the directory at path to an upper layer, as overlayfs
// does when something is first changed: afterwards the directory has the times that it had when the copy began. In
// the meantime all other workers do the work that is left.
func (b *testbed) copyUpDuring(t *testing.T, op, name, path string) {
	t.Helper()
	root := b.dst.Root()
	t.Cleanup(func() { root.Close() })
	var once sync.Once
	b.job.Dest = faultfs.New(onVolume(b.job.Dest, vfs.Volume{KeepsAttrs: true, CopiesUp: true}), func(o, n string) (err error) {
		if o != op || n != name {
			return nil
		}
		once.Do(func() {
			var dir vfs.Dir
			if dir, err = pairs.Below(root, path, false); err != nil {
				return
			}
			if path != "" {
				defer dir.Close()
			}
			var attr vfs.Attr
			if attr, err = vfs.Lstat(dir, "."); err != nil {
				return
			}
			time.Sleep(time.Second)
			err = vfs.Chtimes(vfs.In(dir, "."), attr.Atime, attr.Mtime)
		})
		return err
	})
}

// delay makes an operation on the first source take a part of the time of a copy-up.
func (b *testbed) delay(percent time.Duration, op, name string) {
	dir := &b.job.Sources[0].Dir
	*dir = faultfs.New(*dir, func(o, n string) error {
		if o == op && n == name {
			time.Sleep(percent * time.Second / 100)
		}
		return nil
	})
}

// TestTimesOutliveCopyUp has a directory of an overlay finished while something in it is copied up because of another
// directory.
func TestTimesOutliveCopyUp(t *testing.T) {
	tests := []struct {
		name     string
		src, dst string
		op       string // that copies up
		entry    string
		in       string // the directory of the entry that is copied up
		set      func(t *testing.T, b *testbed)
	}{
		{
			"a subdirectory",
			"./ 755 @2001-01-01T00:00:00Z\nnew 644 x\nd/below 644 x\n",
			"./ 755 @1999-01-01T00:00:00Z\nd/ 755\n",
			"create", "below", "",
			func(_ *testing.T, b *testbed) { b.delay(50, "open", "new") },
		},
		{
			"a file that gets another name",
			"./ 755 @2001-01-01T00:00:00Z\na/ 755 @2001-01-01T00:00:00Z\na/new 644 x\na/same 644 @2001-01-01T00:00:00Z text\nb/below (= a/same)\n",
			"./ 755 @1999-01-01T00:00:00Z\na/ 755 @1999-01-01T00:00:00Z\na/same 644 @2001-01-01T00:00:00Z text\nb/ 755\n",
			"link", "below", "a",
			func(_ *testing.T, b *testbed) {
				b.job.HardLinks = true
				b.delay(25, "opendir", "b") // so that a/same is the first of the names
				b.delay(50, "open", "new")
			},
		},
		{
			"a subdirectory from which a removal was put off",
			"./ 755 @2001-01-01T00:00:00Z\nf 644 x\nd/f 644 x\n",
			"./ 755 @1999-01-01T00:00:00Z\nf 644 x\ngone 644 x\nlost 644 x\nd/f 644 x\nd/below 644 x\n",
			"remove", "below", "",
			func(_ *testing.T, b *testbed) {
				b.job.Delete.On, b.job.Delete.Max = true, &plan.Limit{N: 100}
				b.delay(25, "lstat", "gone")
				b.delay(25, "lstat", "lost")
				b.delay(40, "lstat", "below")
			},
		},
		{
			"a subdirectory that another source has",
			"./ 755 @2001-01-01T00:00:00Z\nnew 644 x\n",
			"./ 755 @1999-01-01T00:00:00Z\nd/ 755\n",
			"create", "below", "",
			func(t *testing.T, b *testbed) {
				b.delay(50, "open", "new")
				other := another(t, "./ 755 @1999-01-01T00:00:00Z\nd/below 644 x\n")
				b.job.Sources = append(b.job.Sources, source.Tree{Dir: other, Label: "OTHER"})
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newSync(t, tt.src, tt.dst)
				tt.set(t, b)
				b.copyUpDuring(t, tt.op, tt.entry, tt.in)
				b.mustRun(t)
				for _, path := range []string{"", tt.in} {
					in, err := pairs.Below(b.dst.Root(), path, false)
					if err != nil {
						t.Fatal(err)
					}
					defer in.Close()
					attr, err := vfs.Lstat(in, ".")
					if err != nil {
						t.Fatal(err)
					}
					if want := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC); !attr.Mtime.Equal(want) {
						t.Errorf("%q has the time %v, want %v", path, attr.Mtime.UTC(), want)
					}
				}
			})
		})
	}
}

package engine

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"psync/internal/engine/alias"
	"psync/internal/report"
	"psync/internal/vfs"
)

func TestCollisionIsNeverAnOverwrite(t *testing.T) {
	for name, update := range map[string]bool{"made in place": false, "made under another name": true} {
		t.Run(name, func(t *testing.T) {
			b := newTestbed(t, "File 644 one\nfile 644 two\nDir/f 644 one\ndir/f 644 two\n", "")
			b.job.Dest = folding{b.job.Dest}
			b.job.Policy.Update = update
			b.job.Threads = 1 // because a volume without links cannot distinguish two at once
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			failed := 0
			for _, e := range b.record.events {
				if e.Kind == report.Fail && errors.Is(e.Err, alias.ErrCollision) {
					failed++
				}
			}
			if failed != 2 {
				t.Errorf("%d collisions reported, want 2: %q", failed, b.record.lines(report.Fail))
			}
		})
	}
}

// folding is a directory that ignores case.
type folding struct{ vfs.Dir }

func (f folding) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	return f.Dir.OpenFile(strings.ToLower(name), mode, perm)
}

func (f folding) Make(name string, s vfs.Spec) error { return f.Dir.Make(strings.ToLower(name), s) }

func (f folding) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	return f.Dir.Statx(strings.ToLower(name), want)
}

func (f folding) Rename(oldname string, to vfs.Dir, newname string, only *vfs.Premise) error {
	return f.Dir.Rename(strings.ToLower(oldname), to, strings.ToLower(newname), only)
}

func (f folding) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	d, err := f.Dir.OpenDir(strings.ToLower(name), how)
	return folding{d}, err
}

func (f folding) Set(name string, changes []vfs.Change) []error {
	return f.Dir.Set(strings.ToLower(name), changes)
}

package engine

import (
	"errors"
	"sync/atomic"
	"testing"

	"psync/internal/engine/alias"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs/faultfs"
)

// TestTempDir has files written elsewhere in the same file system.
func TestTempDir(t *testing.T) {
	b := newMirror(t, backupSrc, backupDst+"tmp/ 755\n")
	b.job.TempDir = b.inside(t, "tmp")
	var created []string
	b.job.TempDir = faultfs.New(b.job.TempDir, func(op, name string) error {
		if op == "create" || op == "symlink" {
			created = append(created, name)
		}
		return nil
	})
	b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
		if op == "create" || op == "symlink" {
			t.Errorf("%s %s in the destination", op, name)
		}
		return nil
	})
	b.job.Threads = 1
	b.mustRun(t)
	if len(created) != 3 {
		t.Errorf("made %q, want three temporaries", created)
	}
	b.wantTree(t, "d/ 755\nd/changed 644 new\nd/dir/ 755\nd/dir/f 644 new\nd/link -> new\nd/same 644 same\ntmp/ 755\n")
}

// TestTempDirIsSwept removes what killed runs left there.
func TestTempDirIsSwept(t *testing.T) {
	dead := tempname.Process{Host: 1, Boot: 1, PID: 99, Run: 1}.Namer()()
	b := newSync(t, "f 644 x\n", "tmp/"+dead+" 644 part\ntmp/mine 644 x\n")
	b.job.TempDir = b.inside(t, "tmp")
	b.mustRun(t)
	b.wantTree(t, "f 644 x\ntmp/ 755\ntmp/mine 644 x\n")
}

// TestTempDirIsSweptAgain has a run there that ends after this one started.
func TestTempDirIsSweptAgain(t *testing.T) {
	dead := deadProcess.Namer()()
	for _, ends := range []bool{true, false} {
		b := newSync(t, "f 644 x\n", "tmp/"+dead+" 644 part\n")
		var ended atomic.Bool
		changeProcess(&b.job, func(p *tempname.Process) {
			p.Alive = func(int, uint64) bool { return !ended.Load() }
		})
		b.job.TempDir = faultfs.New(b.inside(t, "tmp"), func(op, name string) error {
			if ends && op == "create" {
				ended.Store(true)
			}
			return nil
		})
		b.job.Policy.Update = true // so that the new file is made there
		b.mustRun(t)
		left, tree := []string{"leave --temp-dir/" + dead}, "f 644 x\ntmp/ 755\ntmp/"+dead+" 644 part\n"
		if ends {
			left, tree = nil, "f 644 x\ntmp/ 755\n"
		}
		b.wantTree(t, tree)
		b.wantEvents(t, left, report.Leave)
	}
}

// TestCollisionIsNeverAnOverwriteBehindATemporary checks new files that get their names by renaming.
func TestCollisionIsNeverAnOverwriteBehindATemporary(t *testing.T) {
	sets := map[string]func(*testing.T, *testbed){
		"temporary directory": func(t *testing.T, b *testbed) { b.job.TempDir = b.inside(t, "tmp") },
		"update":              func(_ *testing.T, b *testbed) { b.job.Policy.Update = true },
		"size only":           func(_ *testing.T, b *testbed) { b.job.Policy.SizeOnly = true },
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			b := newFolding(t, "d/File 644 one\nd/file 644 three\n", "tmp/ 755\n")
			b.job.Delete.On = false
			set(t, b)
			b.job.Threads = 1
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			var reported []error
			for _, e := range b.record.events {
				if e.Kind == report.Fail {
					reported = append(reported, e.Err)
				}
			}
			if len(reported) != 1 || !errors.Is(reported[0], alias.ErrCollision) {
				t.Errorf("reported %v, want one collision: %q", reported, b.record.all())
			}
		})
	}
}

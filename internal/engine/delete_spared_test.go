package engine

import (
	"errors"
	"slices"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestTemporariesOfLivingProcessesAreSpared checks temporaries that another run uses at the same time. Those of dead
// processes are swept, whether or not anything is removed.
func TestTemporariesOfLivingProcessesAreSpared(t *testing.T) {
	living := tempname.Process{Host: 1, Boot: 1, PID: 50, Run: 1}.Namer()()
	dead := tempname.Process{Host: 1, Boot: 1, PID: 51, Run: 1}.Namer()()
	const now = "./ 755 @2001-01-01T00:00:00Z\nd/ 755 @2001-01-01T00:00:00Z\nd/f 644 @2001-01-01T00:00:00Z x\n"
	b := newMirror(t, now, "d/"+living+" 644 x\nd/"+dead+" 644 x\ngone/sub/"+living+" 644 x\ngone/sub/"+dead+" 644 x\ngone/f 644 x\n"+now)
	changeProcess(&b.job, func(p *tempname.Process) { p.Alive = func(pid int, _ uint64) bool { return pid == 50 } })
	b.mustRun(t)
	b.wantTree(t, "d/ 755\nd/"+living+" 644 x\nd/f 644 x\ngone/ 755\ngone/sub/ 755\ngone/sub/"+living+" 644 x\n")
}

// TestTemporariesAreNotBackedUp deletes, with backups, what a killed run left behind.
func TestTemporariesAreNotBackedUp(t *testing.T) {
	dead := tempname.Process{Host: 1, Boot: 1, PID: 51, Run: 1}.Namer()()
	b := newMirror(t, "f 644 x\n", "f 644 x\ngone/"+dead+" 644 part\ngone/f 644 old\n")
	b.job.Backup = backup.Options{On: true, Suffix: "~"}
	b.mustRun(t)
	b.wantTree(t, "f 644 x\ngone/ 755\ngone/f~ 644 old\n")
}

// inside opens a directory of the destination, until the test ends.
func (b *testbed) inside(t testing.TB, path string) vfs.Dir {
	t.Helper()
	d, err := pairs.Below(b.job.Dest, path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestDirectoriesInUseAreSpared has directories inside the destination that the run works with.
func TestDirectoriesInUseAreSpared(t *testing.T) {
	uses := []struct {
		name string
		set  func(*Options, vfs.Dir)
	}{
		{"backups", func(o *Options, d vfs.Dir) { o.Backup = backup.Options{On: true, Dir: d} }},
		{"temporaries", func(o *Options, d vfs.Dir) { o.TempDir = d }},
		{"alternatives", func(o *Options, d vfs.Dir) {
			o.Alternatives = job.Alternatives{Kind: plan.LinkDest, Dirs: []vfs.Dir{d}}
		}},
	}
	for _, use := range uses {
		for _, tt := range []struct{ name, src, dst, at, want string }{
			{"extraneous", "f 644 x\n", "use/old/f 644 old\n", "use", "use/ 755\nuse/old/ 755\nuse/old/f 644 old\n"},
			{"in an extraneous one", "f 644 x\n", "a/b/use/f 644 old\n", "a/b/use", "a/ 755\na/b/ 755\na/b/use/ 755\na/b/use/f 644 old\n"},
			{"in the way", "f 644 x\nuse 644 x\n", "use/f 644 old\n", "use", "use/ 755\nuse/f 644 old\n"},
			{"the source has one, too", "f 644 x\nuse/new 644 x\n", "use/f 644 old\n", "use", "use/ 755\nuse/f 644 old\nuse/new 644 x\n"},
		} {
			if tt.name == "the source has one, too" && use.name != "backups" {
				continue // it is then a directory to sync like others
			}
			t.Run(use.name+" "+tt.name, func(t *testing.T) {
				b := newMirror(t, tt.src, tt.dst)
				use.set(&b.job.Options, b.inside(t, tt.at))
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				removeFile(t, b.job.Dest, "f")
				b.wantTree(t, tt.want)
			})
		}
	}
}

func TestMountsAreSpared(t *testing.T) {
	for _, cross := range []bool{false, true} {
		b := newMirror(t, "f 644 x\n", "gone/mnt/f 644 x\ngone/f 644 x\n")
		b.job.Dest = elsewhere{b.job.Dest, "mnt"}
		b.job.Delete.CrossMounts = cross
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if cross {
			b.wantTree(t, "f 644 x\n")
			continue
		}
		b.wantTree(t, "f 644 x\ngone/ 755\ngone/mnt/ 755\ngone/mnt/f 644 x\n")
		b.wantEvents(t, []string{"fail DST/gone/mnt"}, report.Fail)
		if err := b.record.events[slices.IndexFunc(b.record.events, func(e report.Event) bool { return e.Kind == report.Fail })].Err; !errors.Is(err, vfs.ErrMount) {
			t.Errorf("reported %v, want %v", err, vfs.ErrMount)
		}
	}
}

// elsewhere is a directory in which each directory called name is a mount point of another file system.
type elsewhere struct {
	vfs.Dir
	name string
}

func (d elsewhere) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := d.Dir.OpenDir(name, how)
	switch {
	case err != nil:
		return nil, err
	case name == d.name:
		return other{sub}, nil
	}
	return elsewhere{sub, d.name}, nil
}

// Statx also shows the mount when called from above.
func (d elsewhere) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	if name == d.name {
		return other{d.Dir}.Statx(name, want)
	}
	return d.Dir.Statx(name, want)
}

// other is a directory on another device.
type other struct{ vfs.Dir }

func (o other) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	attr, err := o.Dir.Statx(name, want)
	attr.Dev += 1 << 40
	return attr, err
}

func TestFilesFromRemovesNothing(t *testing.T) {
	b := newMirror(t, "a/f 644 x\na/g 644 x\nb/f 644 x\n", "a/gone 644 x\nb/gone 644 x\ngone 644 x\n")
	b.job.Files = fileList{"": {"a", "b"}, "a": {"f"}, "b": nil}
	b.mustRun(t)
	b.wantEvents(t, nil, report.Delete)
	delete(b.job.Files.(fileList), "b") // so b is copied with everything in it
	b.mustRun(t)
	b.wantEvents(t, []string{"delete b/gone"}, report.Delete)
}

// A fileList names entries by directory. A directory without entries was named itself.
type fileList map[string][]string

func (l fileList) Names(dir string) (names []string, all bool) {
	names, some := l[dir]
	return names, !some
}

func (l fileList) Follows(path string) bool { _, leads := l[path]; return leads }

func (l fileList) Listed(path string) bool {
	for ; path != ""; path, _ = parent(path) {
		dir, name := parent(path)
		if _, leads := l[path]; !leads && slices.Contains(l[dir], name) {
			return true
		}
	}
	return false
}

// TestProtectedEntriesStayThatComeWhileTheirDirectoryIsRemoved has rules that are in force for the destination alone, as
// those of files in its directories are.
func TestProtectedEntriesStayThatComeWhileTheirDirectoryIsRemoved(t *testing.T) {
	b := newMirror(t, "f 644 x\n", "f 644 x\ngone/f 644 x\n")
	b.job.Threads = 1
	b.job.Rules, b.job.DestRules = &paths{}, source.Rules(&paths{protected: []string{"gone/late"}})
	plain, made := b.job.Dest, false
	b.job.Dest = faultfs.New(plain, func(op, name string) error {
		if op == "rmdir" && name == "gone" && !made {
			made = true
			fstest.Fill(t, plain, "gone/late 644 precious\n")
		}
		return nil
	})
	_ = b.run(t.Context()) // the directory cannot be removed
	if got, want := fstest.Tree(t, plain), "f 644 x\ngone/ 755\ngone/late 644 precious\n"; got != want || !made {
		t.Errorf("the destination has\n%swant\n%s", got, want)
	}
}

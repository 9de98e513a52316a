package engine

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/asyncfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestLateFailuresAreReportedAsOthers has entries that cannot be made, in a destination that reports that at once and
// in one that reports it late.
func TestLateFailuresAreReportedAsOthers(t *testing.T) {
	const tree = "d/Name/a 644 x\nd/f 644 text\nd/name/b 644 x\nother/dir/f 644 x\nother/dir/sub/f3 644 x\n" +
		"other/dir/sub/empty/ 1777\nother/dir/sub/empty2/\nother/f2 644 x\n"
	for _, tt := range []struct {
		name   string
		dst    string
		faults string
		fails  int
	}{
		{"all is well", "", "", 0},
		{"all is well, with what is there", "d/\n", "", 0},
		{"a directory", "", "(op mkdir, path \"dir\", err EACCES)", 1},
		{"a directory below that", "", "(op mkdir, path \"sub\", err EACCES)", 1},
		{"the directory above", "", "(op mkdir, path \"other\", err EACCES)", 1},
		{"a directory in one that is there", "other/\n", "(op mkdir, path \"dir\", err EEXIST)", 1},
		{"what is there already", "", "(op mkdir, path \"name\", err EEXIST)", 1},
		{"an empty directory", "", "(op mkdir, path \"empty\", err EACCES)", 1},
		{"an empty directory that is there already", "", "(op mkdir, path \"empty\", err EEXIST)", 1},
		{"the directory of an empty one", "", "(op mkdir, path \"sub\", err EACCES)", 1},
		{"a file", "", "(op create, path \"f2\", err EACCES)", 1},
		{"the end of a file", "", "(op fclose, path \"f2\", err EIO)", 1},
		{"the contents of a file", "", "(op write, path \"f2\", err EIO)", 1},
		{"the times of a file", "", "(op fchtimes, path \"f2\", err EIO)", 1},
		{"the mode of a file", "", "(op fchmod, path \"f2\", err EIO)", 1},
		{"a mode that cannot be kept", "", "(op fchmod, path \"f2\", err EPERM)", 0},
	} {
		run := func(late bool) (*testbed, []string) {
			b := newSync(t, tree, tt.dst)
			b.job.Keep = metadata.Keep{Modes: true, Perms: true, Mtime: true, Owner: true, Group: true, Asked: report.Mode}
			b.job.Threads = 1
			if err := vfs.Chmod(vfs.In(b.job.Sources[0].Dir, "other"), 0o770); err != nil {
				t.Fatal(err)
			}
			if err := vfsChmod(b.job.Sources[0].Dir, "other", "f2"); err != nil {
				t.Fatal(err)
			}
			plain := b.job.Dest
			b.job.Dest = onVolume(faultfs.Inject(plain, tt.faults), vfs.Volume{Network: true, TimesStay: true})
			if late {
				b.job.Dest = asyncfs.New(faultfs.Inject(plain, tt.faults))
			}
			if err := b.run(t.Context()); err != nil {
				t.Errorf("%s: Run = %v", tt.name, err)
			}
			return b, append(b.record.all(), fmt.Sprint(b.job.Stats.Totals()), fstest.Tree(t, plain))
		}
		b, want := run(false)
		if got := b.record.lines(report.Fail); len(got) != tt.fails {
			t.Errorf("%s: failures %q, want %d", tt.name, got, tt.fails)
		}
		if _, got := run(true); !slices.Equal(got, want) {
			t.Errorf("%s: late:\n%q\nat once:\n%q", tt.name, got, want)
		}
	}
}

// TestLateCollision has two names that a folding volume treats as one.
func TestLateCollision(t *testing.T) {
	for _, late := range []bool{false, true} {
		b := newFar(t, memfs.NewFolding(), "d/Name/a 644 x\nd/name/b 644 x\nd/File 644 x\nd/file 644 y\n", "")
		if late {
			b.job.Dest = asyncfs.New(b.job.Dest)
		}
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.record.lines(report.Fail, report.Mkdir); len(got) != 4 {
			t.Errorf("late %v: %q", late, got)
		}
	}
}

// vfsChmod gives a file in a subdirectory a mode that must be set explicitly.
func vfsChmod(d vfs.Dir, sub, name string) error {
	in, err := d.OpenDir(sub, vfs.NoFollow)
	if err != nil {
		return err
	}
	return vfs.JoinErrors(vfs.Chmod(vfs.In(in, name), fs.ModeSetuid|0o755), in.Close())
}
